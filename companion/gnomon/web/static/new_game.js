// The only module of the new game's form: settings that do not matter go out of sight, and a time control is read
// while it is written. The form works without it.

const form = document.getElementById("new-game");
const value = (name) => form.elements[name]?.value ?? "";
const PAUSE = 250; // ms without a key before the board is asked what was written

function show() {
  for (const field of form.querySelectorAll("[data-when]")) {
    const { when, is, isNot } = field.dataset;
    field.hidden = is === undefined ? value(when) === isNot : !is.split(" ").includes(value(when));
  }
  const seats = Number(value("players")) || 2;
  const four = form.querySelector("[data-field=players]");
  const count = four && !four.hidden ? seats : 2;
  for (const seat of form.querySelectorAll("[data-seat]")) seat.hidden = Number(seat.dataset.seat) > count;
}

const means = document.getElementById("clock-means");
let asked = 0;

/** Say what the time control means, or what is wrong with it, as the board reads it. */
async function read() {
  const number = (asked += 1);
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
  let waits = 0;
  form.addEventListener("change", show);
  for (const name of ["clock", "clock-own", "clock-second"]) {
    form.elements[name]?.addEventListener("input", () => {
      clearTimeout(waits);
      waits = setTimeout(read, PAUSE);
    });
  }
  show();
  read();
  form.querySelector("[aria-invalid=true]")?.focus();
}
