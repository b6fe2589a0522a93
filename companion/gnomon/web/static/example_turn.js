// Play the example turn of a rules page: the board before it, and a moment later after it.
//
// Without it both pictures stand side by side.

import { byId, find } from "./dom.js";

const PAUSE = 900; // ms: long enough to see where everything stands
const pictures = byId("example");
const play = byId("example-play");
/** @type {ReturnType<typeof setTimeout> | undefined} */
let waits;

pictures.dataset.shown = "before";
play.hidden = false;
find(play, "button").addEventListener("click", () => {
  clearTimeout(waits);
  pictures.dataset.shown = "before";
  waits = setTimeout(() => {
    pictures.dataset.shown = "after";
  }, PAUSE);
});
