// Show a tournament on a screen in the hall page by page, each as long as it takes to read.

import { find, findAll, optional } from "./dom.js";

const PAGE = 9000; // ms
const page = find(document, ".wall-page");
let panel = 0;
let at = 0;

const panels = () => findAll(document, ".panel");

function turn(by) {
  const all = panels();
  if (!all.length) return;
  panel %= all.length;
  const rows = optional(all[panel], ".wall-rows");
  at += by;
  if (at >= pages(rows)) {
    at = 0;
    panel = (panel + 1) % all.length;
  }
  show();
}

/** How many screens a panel takes: one for a bracket, which has no rows. @param {HTMLElement | null} rows */
function pages(rows) {
  if (!rows) return 1;
  return Math.max(1, Math.ceil((rows.scrollWidth + gap(rows) - 4) / step(rows)));
}

const gap = (rows) => Number.parseFloat(getComputedStyle(rows).columnGap) || 0;
const step = (rows) => rows.clientWidth + gap(rows);

/** As few columns as hold everything, so that names have room; as many as the screen has where even they do not. */
function spread(rows) {
  rows.style.columns = "";
  const most = Math.max(
    1,
    Math.floor((rows.clientWidth + gap(rows)) / (Number.parseFloat(getComputedStyle(rows).columnWidth) + gap(rows))),
  );
  for (let columns = Math.min(2, most); columns < most; columns += 1) {
    rows.style.columns = `auto ${columns}`;
    if (pages(rows) === 1) return;
  }
  rows.style.columns = `auto ${most}`;
}

function show() {
  const all = panels();
  panel = Math.min(panel, all.length - 1);
  all.forEach((each, number) => each.classList.toggle("shown", number === panel));
  const rows = optional(all[panel], ".wall-rows");
  if (rows && innerWidth >= 760) spread(rows);
  if (rows) rows.scrollLeft = at * step(rows);
  const count = pages(rows);
  page.textContent = count > 1 ? `${at + 1} / ${count}` : "";
}

document.documentElement.classList.add("scripted");
document.addEventListener("fresh", show);
addEventListener("resize", () => {
  at = 0;
  show();
});
addEventListener("keydown", (event) => {
  if (event.key === "ArrowRight" || event.key === " ") turn(1);
  if (event.key === "f") document.documentElement.requestFullscreen?.();
});
show();
setInterval(() => turn(1), PAGE);
