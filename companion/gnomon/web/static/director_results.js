// Make the table of results quick: keys from board to board, and each result sent by itself.

import { byId, find, findAll, hit, optional } from "./dom.js";
import { refresh } from "./tournament_live.js";

const table = optional(document, "table.results", HTMLTableElement);
/** @type {Record<string, string>} */
const FULL = { 1: "1-0", 0: "0-1", "=": "½-½" };

const fields = () => (table ? findAll(table, "input.result", HTMLInputElement) : []);

function step(field, by) {
  const all = fields();
  const next = all[all.indexOf(field) + by];
  next?.focus();
  next?.select();
  return next;
}

/** Go with an arrow, or with Enter, from a board that has its result to the next one that has none. */
function leave(row, event) {
  const isUp = event.key === "ArrowUp";
  if (!isUp && event.key !== "ArrowDown" && event.key !== "Enter") return;
  event.preventDefault();
  const side = isUp ? Node.DOCUMENT_POSITION_PRECEDING : Node.DOCUMENT_POSITION_FOLLOWING;
  const there = fields().filter((field) => row.compareDocumentPosition(field) & side);
  (isUp ? there.at(-1) : there[0])?.focus();
}

function say(text) {
  byId("said").textContent = text;
  byId("said").hidden = !text;
}

/** Send a board's result; go on to the next board at once, and come back when it is refused. */
async function send(form) {
  const field = form.elements.result;
  if (!field.value.trim()) return;
  const body = new URLSearchParams(/** @type {any} */ (new FormData(form)));
  say("");
  form.classList.add("sending");
  const row = form.closest("tr");
  row.classList.remove("wrong-row");
  if (!step(field, 1)) field.blur();
  let answer;
  try {
    answer = await fetch(form.action, { method: "POST", headers: { Accept: "application/json" }, body });
  } catch {
    answer = null;
  }
  form.classList.remove("sending");
  if (answer?.ok) {
    form.reset(); // what stands here is told: the row may be put in again
    return refresh();
  }
  const told = answer ? await answer.json().catch(() => ({})) : {};
  row.classList.add("wrong-row");
  const board = `${table?.tHead?.rows[0].cells[0].textContent} ${row.cells[0].textContent}`;
  say(`${board}: ${told.error ?? table?.dataset.notSent}`);
  field.focus();
  field.select();
}

function dress() {
  for (const button of findAll(document, "table.results [data-quick]")) button.hidden = table?.dataset.games !== "1";
}

if (table) {
  table.addEventListener("submit", (event) => {
    const form = hit(event, ".enter", HTMLFormElement);
    if (!form) return;
    event.preventDefault();
    send(form);
  });
  table.addEventListener("click", (event) => {
    const sign = hit(event, "[data-quick]")?.dataset.quick;
    const cell = hit(event, "td");
    if (!sign || !cell) return;
    const form = find(cell, ".enter", HTMLFormElement);
    find(form, "[name=result]", HTMLInputElement).value = FULL[sign];
    send(form);
  });
  // A board whose result has come meanwhile keeps the focus: what is typed next would be meant for it, for no other.
  table.addEventListener("refocus", (event) => {
    const row = /** @type {HTMLElement} */ (event.target);
    row.tabIndex = -1;
    (optional(row, "input.result") ?? row).focus({ preventScroll: true });
  });
  table.addEventListener("keydown", (event) => {
    if (event.target instanceof HTMLTableRowElement) return leave(event.target, event);
    const field = hit(event, "input.result", HTMLInputElement);
    if (!field) return;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      step(field, event.key === "ArrowDown" ? 1 : -1);
    } else if (event.key === "Escape") {
      field.value = "";
      say("");
      refresh(); // what came while it was written in
    }
  });
  document.addEventListener("fresh", dress);
  dress();
  if (!document.querySelector("[role=alert]")) fields()[0]?.focus({ preventScroll: true });
}
