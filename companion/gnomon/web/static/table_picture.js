// Show the picture of a game at a table, asked for once by its name, and over it the places that can be touched.

import { ARROWS, hit, svg } from "./dom.js";
import { say } from "./words.js";

const NARROW = matchMedia("(max-width: 699px)");
const PLACES = "/api/v1/board/places";

/** @typedef {[number, number, number, number]} Box left, top, width and height */

/** The view box of the board alone, from where its places lie, and how far the picture of the board reaches beyond them
 * (left, top, right, bottom; coordinates, rims, counters); "" where the whole picture is needed. */
export function crop(edges, boxes) {
  if (!edges?.some(Boolean) || boxes.length === 0) return "";
  const left = Math.min(...boxes.map(([x]) => x)) - edges[0];
  const top = Math.min(...boxes.map(([, y]) => y)) - edges[1];
  const right = Math.max(...boxes.map(([x, , width]) => x + width)) + edges[2];
  const bottom = Math.max(...boxes.map(([, y, , height]) => y + height)) + edges[3];
  return `${left} ${top} ${right - left} ${bottom - top}`;
}

/**
 * The place next to one in the direction of an arrow key, or "".
 * @param {Record<string, Box>} places
 * @param {string} name
 * @param {[number, number]} direction
 */
export function beside(places, name, [dx, dy]) {
  /** @param {Box} box */
  const middle = ([x, y, width, height]) => [x + width / 2, y + height / 2];
  const [fromX, fromY] = middle(places[name]);
  let best = { name: "", distance: Infinity };
  for (const [other, place] of Object.entries(places)) {
    const [x, y] = middle(place);
    const [right, down] = [x - fromX, y - fromY];
    const along = right * dx + down * dy;
    const distance = along > 1 ? along + 3 * Math.abs(right * dy - down * dx) : Infinity;
    if (distance < best.distance) best = { name: other, distance };
  }
  return best.name;
}

export class TablePicture {
  name = "";
  source = "";
  /** The view box of the whole picture. */
  whole = "";
  /** @type {Element | null} */
  drawing = null;
  /** @type {Record<string, Box>} */
  places = {};
  /** @type {Map<string, SVGElement>} */
  rects = new Map();
  marks = new Map();
  focused = "";
  board = ""; // the one whose places are known
  drawn = ""; // the game whose picture is there
  of = ""; // the game whose marks are told
  parser = new DOMParser();

  /** `address` is where pictures are found; `touched(name)` is told of a tap, or of the Enter key, on a place. */
  constructor(frame, address, touched = /** @type {((place: string) => void) | null} */ (null)) {
    this.frame = frame;
    this.address = address;
    this.touched = touched;
    NARROW.addEventListener("change", () => this.#crop());
    if (!touched) return;
    frame.addEventListener("click", (event) => this.#touch(placeOf(event)));
    frame.addEventListener("keydown", (event) => this.#key(event));
  }

  /** Show the picture that is told; one that is gone already is followed by news of the next. */
  async show({ game, picture: name, corners = [], edges = [] }, more = (places) => places) {
    if (name === this.name) return;
    this.name = name;
    this.edges = edges;
    this.corners = corners;
    try {
      const answer = await fetch(`${this.address}${name}.svg?language=${document.documentElement.lang}`);
      const text = answer.ok ? await answer.text() : "";
      if (this.touched && text) await this.#learn(`${game} ${JSON.stringify(corners)}`, more);
      if (name !== this.name) return;
      if (!text) this.name = "";
      else {
        this.drawn = game;
        this.frame.classList.remove("preview");
        this.source = text;
        this.#draw(text);
      }
    } catch {
      if (name === this.name) this.name = "";
    }
  }

  /** Show a picture that is there already, with its places. */
  put({ game, source, places, corners = [], edges = [] }) {
    this.places = places;
    this.corners = corners;
    this.edges = edges;
    this.drawn = game;
    this.source = source;
    this.#draw(source);
  }

  /** Ask where the places of another board lie. */
  async #learn(board, more) {
    if (board === this.board) return;
    const answer = await fetch(PLACES);
    if (!answer.ok) return;
    const { places } = await answer.json();
    this.board = board;
    this.places = { ...more(places), ...places };
    this.marks = new Map();
  }

  /** Show how the board would look; null shows how it is. */
  preview(source) {
    this.frame.classList.toggle("preview", Boolean(source));
    if (this.source) this.#draw(source ?? this.source);
  }

  /** A part of the picture as it is, by its key, to be shown elsewhere too; null where there is none. */
  part(key) {
    const found = this.parser
      .parseFromString(this.source || "<svg/>", "image/svg+xml")
      .querySelector(`[data-key="${key}"]`);
    return found && document.importNode(found, true);
  }

  /** Mark places of a game: a map from their names to "may", "picked", "target" …; `describe(name)` says how one is called and what is there. */
  mark(game, marks, describe) {
    this.of = game;
    this.marks = marks;
    this.describe = describe;
    if (game !== this.drawn) return;
    for (const [name, rect] of this.rects) {
      const mark = marks.get(name) ?? "";
      const [place, told] = describe(name);
      const on = told || this.#title(name) || say("bench.on.empty");
      const words = mark
        ? say("bench.place.marked", { place, on, mark: say(`bench.mark.${mark}`) })
        : say("bench.place", { place, on });
      if (rect.dataset.mark !== mark) rect.dataset.mark = mark;
      if (rect.getAttribute("aria-label") !== words) rect.setAttribute("aria-label", words);
    }
  }

  /** What the picture says of the part that has the name of a place; "" where it draws none. */
  #title(name) {
    return this.drawing?.querySelector(`[data-key="${name}"] > title`)?.textContent ?? "";
  }

  #draw(source) {
    const read = this.parser.parseFromString(source, "image/svg+xml");
    const drawing = document.importNode(read.documentElement, true);
    const held = this.frame.contains(document.activeElement);
    this.drawing = drawing;
    this.whole = drawing.getAttribute("viewBox") ?? "";
    if (this.touched) this.#cover(drawing);
    this.frame.replaceChildren(drawing);
    this.#crop();
    if (this.describe) this.mark(this.of, this.marks, this.describe);
    if (!this.rects.has(this.focused)) this.focused = this.rects.keys().next().value ?? "";
    if (this.touched) this.#focus(this.focused, held);
  }

  /** Lay the places over the drawing. */
  #cover(drawing) {
    /**
     * @param {string} name
     * @param {Box} box
     */
    const rect = (name, [x, y, width, height]) =>
      svg("rect", {
        class: "place",
        "data-place": name,
        "aria-label": name,
        x,
        y,
        width,
        height,
        rx: 6,
        role: "button",
        tabindex: -1,
      });
    this.rects = new Map(Object.entries(this.places).map(([name, place]) => [name, rect(name, place)]));
    drawing.append(svg("g", { class: "places" }, ...this.rects.values()));
    drawing.setAttribute("role", "group");
    drawing.setAttribute("aria-roledescription", say("bench.board.role"));
  }

  /** On a narrow screen the board fills it: what stands beside the board is told elsewhere on the page. */
  #crop() {
    const board = NARROW.matches && this.corners ? crop(this.edges, this.corners) : "";
    this.drawing?.setAttribute("viewBox", board || this.whole);
  }

  #touch(name) {
    if (!name) return;
    this.#focus(name, false);
    this.touched?.(name);
  }

  #focus(name, now) {
    this.rects.get(this.focused)?.setAttribute("tabindex", "-1");
    this.focused = name;
    const rect = this.rects.get(name);
    rect?.setAttribute("tabindex", "0");
    if (now) rect?.focus();
  }

  #key(event) {
    const name = placeOf(event);
    const arrow = ARROWS.get(event.key);
    if (!name) return;
    if (arrow) {
      const next = beside(this.places, name, arrow);
      if (next) this.#focus(next, true);
    } else if (event.key === "Enter" || event.key === " ") this.#touch(name);
    else return;
    event.preventDefault();
  }
}

const placeOf = (event) => hit(event, "[data-place]", SVGElement)?.dataset.place ?? "";
