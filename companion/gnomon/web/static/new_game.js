// Help with the new game's form: hide settings that do not matter, and read a time control while it is written.
//
// The form works without it.

import { findAll, optional } from "./dom.js";

const form = optional(document, "#new-game", HTMLFormElement);
const elements = /** @type {any} */ (form?.elements ?? {});
const value = (name) => elements[name]?.value ?? "";
const PAUSE = 250; // ms without a key before the board is asked what was written

function show(page) {
  for (const field of findAll(page, "[data-when]")) {
    const { when, is, isNot } = field.dataset;
    field.hidden = is === undefined ? value(when) === isNot : !(is ?? "").split(" ").includes(value(when));
    // Who plays the second side of an exhibition matters only while an engine plays at all.
    if (when === "opponent-side" && value("opponent") === "none") field.hidden = true;
  }
  const seats = Number(value("players")) || 2;
  const four = optional(page, "[data-field=players]");
  const count = four && !four.hidden ? seats : 2;
  for (const seat of findAll(page, "[data-seat]")) seat.hidden = Number(seat.dataset.seat) > count;
}

const means = optional(document, "#clock-means");
let asked = 0;

/** Say what the time control means, or what is wrong with it, as the board reads it. */
async function read() {
  asked += 1;
  const number = asked;
  if (!means) return;
  const which = value("clock");
  const text = which === "own" ? value("clock-own").trim() : which;
  if (which === "none" || !text) {
    means.hidden = true;
    return;
  }
  const query = new URLSearchParams({ text, second: value("clock-second"), language: document.documentElement.lang });
  const answer = await fetch(`/clock/control?${query}`).catch(() => null);
  const said = await answer?.json().catch(() => null);
  if (number !== asked || !said) return; // something else is written by now, or the board does not answer
  means.hidden = false;
  means.classList.toggle("wrong", Boolean(said.error));
  means.textContent = said.error ?? said.means;
}

if (form) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let waits;
  const readSoon = () => {
    clearTimeout(waits);
    waits = setTimeout(read, PAUSE);
  };
  form.addEventListener("change", () => show(form));
  for (const name of ["clock", "clock-own", "clock-second"]) {
    optional(form, `[name=${name}]`)?.addEventListener("input", readSoon);
  }
  show(form);
  read();
  optional(form, "[aria-invalid=true]")?.focus();
}
