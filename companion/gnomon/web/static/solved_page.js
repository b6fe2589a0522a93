// Play through a solved game by touching the board, and show results as they are proven.

import { byId, findAll, optional, put } from "./dom.js";

const EACH = 1000; // ms
const picture = byId("position", HTMLImageElement);
const status = optional(document, "#touched");
const first = status?.textContent ?? "";
/** @type {Record<string, [number, number, number, number]>} */
const areas = JSON.parse(picture.dataset.areas ?? "{}");
/** @type {[number, number, number, number]} */
const [left, top_, width, height] = JSON.parse(picture.dataset.box ?? "[0, 0, 1, 1]");
/** @type {string[]} */
let touched = [];

/** The turns that name these places in this order, or, where none does, in any order. */
function fitting(places) {
  const turns = findAll(document, "[data-places]", HTMLAnchorElement);
  const named = turns.map((turn) => ({ turn, names: (turn.dataset.places ?? "").split(" ") }));
  const begun = named.filter(({ names }) => places.every((place, number) => names[number] === place));
  return begun.length ? begun : named.filter(({ names }) => places.every((place) => names.includes(place)));
}

picture.addEventListener("click", (event) => {
  const shown = picture.getBoundingClientRect();
  const x = left + ((event.clientX - shown.left) / shown.width) * width;
  const y = top_ + ((event.clientY - shown.top) / shown.height) * height;
  const found = Object.entries(areas).find(
    ([, [areaLeft, areaTop, wide, high]]) => x >= areaLeft && x < areaLeft + wide && y >= areaTop && y < areaTop + high,
  );
  const place = found ? found[0] : "";
  const places = !place || touched.includes(place) ? [] : [...touched, place];
  const fits = fitting(places);
  if (places.length > 1 && fits.length === 1) location.assign(fits[0].turn.href);
  touched = fits.length ? places : [place];
  if (status) put(status, touched.join(", ") || first);
});

/** Look how far the search has come; each result that is new is shown. */
async function look(told) {
  try {
    const answer = await fetch(told.dataset.address ?? "");
    const news = await answer.json();
    if (answer.ok && (!news.runs || String(news.done) !== told.dataset.done)) {
      location.reload();
      return;
    }
    if (answer.ok) put(told, news.text);
  } catch {
    // The board is away for a moment; the next look may find it.
  }
  setTimeout(look, EACH, told);
}

const told = optional(document, "#progress");
if (told) setTimeout(look, EACH, told);
