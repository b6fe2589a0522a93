// Show a game's picture: as the daemon drew it, and over it the places that can be touched.

import { crop } from "/static/crop.js";
import { svg } from "/static/drawing.js";
import { say } from "/static/words.js";

const NARROW = matchMedia("(max-width: 699px)");
const ARROWS = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };

const plain = (name) => [name, ""];

export class Picture {
  /** `touched(name)` is told of a tap, or of the Enter key, on a place. */
  constructor(frame, touched) {
    this.frame = frame;
    this.touched = touched;
    this.places = {};
    this.rects = new Map();
    this.marks = new Map();
    this.describe = plain;
    this.source = "";
    this.focused = "";
    NARROW.addEventListener("change", () => this.#crop());
    frame.addEventListener("click", (event) => {
      const name = event.target.closest?.("[data-place]")?.dataset.place;
      if (name) this.#touch(name);
    });
    frame.addEventListener("keydown", (event) => this.#key(event));
  }

  /** Show a picture and where its places lie; `more` are places of the page's own. */
  show(game, { svg: source, places, edges }, more = {}) {
    this.game = game;
    this.before = source;
    this.source = "";
    this.frame.classList.remove("preview");
    this.places = { ...more, ...places };
    [this.marks, this.describe] = [new Map(), plain]; // those before may have been of another game
    [this.board, this.edges] = [places, edges];
    this.#draw(source);
  }

  /** Show how the board would look; null shows how it is. */
  preview(source) {
    this.frame.classList.toggle("preview", Boolean(source));
    if (this.before) this.#draw(source ?? this.before);
  }

  /** A part of the picture as it is, by its key, to be shown elsewhere too; null where there is none. */
  part(key) {
    const found = new DOMParser().parseFromString(this.before ?? "<svg/>", "image/svg+xml").querySelector(`[data-key="${key}"]`);
    return found && document.importNode(found, true);
  }

  /** Mark places: a map from their names to "may", "picked", "target" …; `describe(name)` says how a place is called and what is there. */
  mark(marks, describe = this.describe) {
    this.marks = marks;
    this.describe = describe;
    for (const [name, rect] of this.rects) {
      const mark = marks.get(name) ?? "";
      const [place, on] = describe(name);
      const words = mark ? say("bench.place.marked", { place, on, mark: say(`bench.mark.${mark}`) }) : say("bench.place", { place, on });
      if (rect.dataset.mark !== mark) rect.dataset.mark = mark;
      if (rect.getAttribute("aria-label") !== words) rect.setAttribute("aria-label", words);
    }
  }

  #draw(source) {
    if (this.source === source) return;
    this.source = source;
    const read = new DOMParser().parseFromString(source, "image/svg+xml");
    const drawing = document.importNode(read.documentElement, true);
    const held = this.frame.contains(document.activeElement);
    this.rects = new Map(Object.entries(this.places).map(([name, place]) => [name, this.#place(name, place)]));
    drawing.append(svg("g", { class: "places" }, ...this.rects.values()));
    drawing.setAttribute("role", "group");
    drawing.setAttribute("aria-roledescription", say("bench.board.role"));
    this.whole = drawing.getAttribute("viewBox");
    this.frame.replaceChildren(drawing);
    this.drawing = drawing;
    this.#crop();
    this.mark(this.marks);
    if (!this.rects.has(this.focused)) this.focused = this.rects.keys().next().value ?? "";
    this.#focus(this.focused, held);
  }

  #place(name, [x, y, width, height]) {
    return svg("rect", { class: "place", "data-place": name, x, y, width, height, rx: 6, role: "button", tabindex: -1 });
  }

  /** On a narrow screen the board fills it: what stands beside the board is told elsewhere on the page. */
  #crop() {
    if (!this.drawing) return;
    const board = NARROW.matches ? crop(this.edges, Object.values(this.board ?? {})) : "";
    this.drawing.setAttribute("viewBox", board || this.whole);
  }

  #touch(name) {
    this.#focus(name, false);
    this.touched(name);
  }

  #focus(name, now) {
    this.rects.get(this.focused)?.setAttribute("tabindex", -1);
    this.focused = name;
    const rect = this.rects.get(name);
    rect?.setAttribute("tabindex", 0);
    if (now) rect?.focus();
  }

  #key(event) {
    const name = event.target.closest?.("[data-place]")?.dataset.place;
    if (!name) return;
    if (event.key in ARROWS) {
      const next = this.#beside(name, ARROWS[event.key]);
      if (next) this.#focus(next, true);
    } else if (event.key === "Enter" || event.key === " ") this.#touch(name);
    else return;
    event.preventDefault();
  }

  #beside(name, [dx, dy]) {
    const middle = ([x, y, width, height]) => [x + width / 2, y + height / 2];
    const [fromX, fromY] = middle(this.places[name]);
    let best = ["", Infinity];
    for (const [other, place] of Object.entries(this.places)) {
      const [x, y] = middle(place);
      const [right, down] = [x - fromX, y - fromY];
      const along = right * dx + down * dy;
      const distance = along > 1 ? along + 3 * Math.abs(right * dy - down * dx) : Infinity;
      if (distance < best[1]) best = [other, distance];
    }
    return best[0];
  }
}
