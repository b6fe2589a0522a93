// Choose a move by touching its places on the picture; the list beside it does the same by keyboard.

import { byId, put } from "./dom.js";

const picture = byId("position", HTMLImageElement);
const list = byId("move", HTMLSelectElement);
const clear = byId("clear", HTMLButtonElement);
const status = byId("touched");
const first = status.textContent ?? "";
const options = [...list.options];
/** @type {Record<string, [number, number, number, number]>} */
const areas = JSON.parse(picture.dataset.areas ?? "{}");
/** @type {[number, number, number, number]} */
const [left, top, width, height] = JSON.parse(picture.dataset.box ?? "[0, 0, 1, 1]");
/** @type {string[]} */
let touched = [];

/** The places that an option names. */
function placesOf(/** @type {HTMLOptionElement} */ option) {
  return (option.dataset.places ?? "").split(" ");
}

/** The moves that name all places that were touched. */
function fitting() {
  return options.filter((option) => option.value && touched.every((place) => placesOf(option).includes(place)));
}

function show() {
  const fits = fitting();
  list.replaceChildren(...(touched.length > 0 ? fits : options));
  if (touched.length > 0 && fits.length > 1) list.prepend(options[0]);
  list.selectedIndex = 0;
  clear.hidden = touched.length === 0;
  const told = (status.dataset.told ?? "")
    .replace("{places}", touched.join(", "))
    .replace("{number}", String(fits.length));
  put(status, touched.length > 0 ? told : first);
}

picture.addEventListener("click", (event) => {
  const shown = picture.getBoundingClientRect();
  const x = left + ((event.clientX - shown.left) / shown.width) * width;
  const y = top + ((event.clientY - shown.top) / shown.height) * height;
  const found = Object.entries(areas).find(
    ([, [areaLeft, areaTop, wide, high]]) => x >= areaLeft && x < areaLeft + wide && y >= areaTop && y < areaTop + high,
  );
  if (!found) return;
  const [place] = found;
  touched = touched.includes(place) ? touched.filter((each) => each !== place) : [...touched, place];
  if (fitting().length === 0) touched = touched.includes(place) ? [place] : [];
  if (fitting().length === 0) touched = [];
  show();
});

clear.addEventListener("click", () => {
  touched = [];
  show();
  list.focus();
});
