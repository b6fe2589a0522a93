// Measure how long the arbiter is busy: the game is paused meanwhile, and the time becomes a note.

import { find, put } from "./dom.js";
import { thought } from "./seats.js";
import { say } from "./words.js";

const TICK = 250;

export class Stopwatch {
  /** `pause()` stops the game, `note(took)` opens the note with the time. */
  constructor(box, { pause, note }) {
    this.pause = pause;
    this.note = note;
    /** @type {number | null} */
    this.since = null;
    /** @type {HTMLElement | null} */
    this.box = null;
    this.move(box);
    setInterval(() => this.#show(), TICK);
  }

  /** The stopwatch is shown here from now on; on a page without a game, nowhere. */
  move(box) {
    if (!box || box === this.box) return;
    this.box = box;
    box.hidden = false;
    find(box, "button").addEventListener("click", () => this.toggle());
    this.#show();
  }

  toggle() {
    if (!this.box) return;
    if (this.since === null) {
      this.since = performance.now();
      this.pause();
    } else {
      const took = thought((performance.now() - this.since) / 1000);
      this.since = null;
      this.note(took);
    }
    this.#show();
  }

  #show() {
    if (!this.box) return;
    const runs = this.since !== null;
    const text = thought(this.since === null ? 0 : (performance.now() - this.since) / 1000);
    put(find(this.box, "output"), text);
    const label = say(runs ? "arbiter.watch.stop" : "arbiter.watch.start");
    const words = find(this.box, "button").firstChild;
    if (words && words.nodeValue?.trim() !== label) words.nodeValue = `${label} `;
  }
}
