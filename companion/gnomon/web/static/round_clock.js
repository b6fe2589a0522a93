// Count the round clock on, from what the server said last and this screen's own time since then.

import { findAll } from "./dom.js";
import { whole } from "./seconds.js";

const clocks = () => findAll(document, "[data-clock]"); // one comes and goes with the news
let left = 0; // ms
let at = 0;
let runs = false;

/** Take what the server says: what is left now, in ms, and whether it runs. */
export function setClock(told) {
  if (!told) return;
  left = told.left_ms;
  at = performance.now();
  runs = told.runs;
  draw();
}

function draw() {
  const now = runs ? left - (performance.now() - at) : left;
  const seconds = Math.floor(Math.abs(now) / 1000);
  const text = (now < 0 && seconds > 0 ? "−" : "") + whole(seconds);
  for (const clock of clocks()) {
    if (clock.textContent !== text) clock.textContent = text;
    clock.classList.toggle("over", now <= 0);
    clock.classList.toggle("stands", !runs);
  }
}

const [first] = clocks();
if (first) setClock({ left_ms: Number(first.dataset.left), runs: first.dataset.runs === "yes" });
setInterval(draw, 200);
