// Show in the list of lessons how far this browser has come in each.

import { findAll } from "./dom.js";
import { stepsDone } from "./progress.js";
import { say } from "./words.js";

for (const line of findAll(document, "[data-progress]", HTMLElement)) {
  const steps = (line.dataset.steps ?? "").split(" ");
  const done = stepsDone(line.dataset.progress ?? "");
  const number = steps.filter((step) => done.has(step)).length;
  if (number) line.textContent = say("learn.progress", { number, all: steps.length });
  if (number === steps.length) line.dataset.done = "yes";
}
