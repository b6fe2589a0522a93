// The only module that measures how long the arbiter is busy: the game stands still meanwhile, and it becomes a note.

import { say } from "./words.js";

const TICK = 250;

export class Stopwatch {
  /** `pause()` stops the game, `note(took)` opens the note with the time. */
  constructor(box, { pause, note }) {
    this.pause = pause;
    this.note = note;
    this.since = null;
    this.move(box);
    setInterval(() => this.#show(), TICK);
  }

  /** The stopwatch is shown here from now on; on a page without a game, nowhere. */
  move(box) {
    if (!box || box === this.box) return;
    this.box = box;
    box.hidden = false;
    box.querySelector("button").addEventListener("click", () => this.toggle());
    this.#show();
  }

  toggle() {
    if (!this.box) return;
    if (this.since === null) {
      this.since = performance.now();
      this.pause();
    } else {
      const took = said((performance.now() - this.since) / 1000);
      this.since = null;
      this.note(took);
    }
    this.#show();
  }

  #show() {
    if (!this.box) return;
    const runs = this.since !== null;
    const text = said(runs ? (performance.now() - this.since) / 1000 : 0);
    const time = this.box.querySelector("output");
    if (time.textContent !== text) time.textContent = text;
    const label = say(runs ? "arbiter.watch.stop" : "arbiter.watch.start");
    const words = this.box.querySelector("button").firstChild;
    if (words.nodeValue.trim() !== label) words.nodeValue = `${label} `;
  }
}

function said(seconds) {
  const whole = Math.floor(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}
