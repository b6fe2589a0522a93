// The only module of the new game's form: settings that do not matter go out of sight. The form works without it.

const form = document.getElementById("new-game");
const value = (name) => form.elements[name]?.value ?? "";

function show() {
  for (const field of form.querySelectorAll("[data-when]")) {
    field.hidden = !field.dataset.is.split(" ").includes(value(field.dataset.when));
  }
  const seats = Number(value("players")) || 2;
  const four = form.querySelector("[data-field=players]");
  const count = four && !four.hidden ? seats : 2;
  for (const seat of form.querySelectorAll("[data-seat]")) seat.hidden = Number(seat.dataset.seat) > count;
}

if (form) {
  form.addEventListener("change", show);
  show();
  form.querySelector("[aria-invalid=true]")?.focus();
}
