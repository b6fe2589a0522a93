// Keep a step of a lesson that was solved, at once: the page's own script waits for its words.

import { byId } from "./dom.js";
import { keepStep } from "./progress.js";

const { lesson = "", step = "", right = "no" } = byId("main").dataset;

if (right === "yes") keepStep(lesson, step);
