// Move what stands on the TAMSK board: rings, lamps and the six glasses, in the drawing that the server made.
//
// The drawing names its parts by data attributes: `data-space`, `data-ring`, `data-glass`, `data-part`, `data-heights`.

import { ARROWS, find, findAll, hit } from "./dom.js";
import { fraction, remaining, says } from "./sand.js";

const SHORT = 10; // seconds left from which a glass is marked as running short
const LIES = 76; // degrees by which a glass that was knocked over has fallen
const COLOURS = {
  "last move": "303030",
  "to move": "465082",
  flag: "ff0046",
  "running out": "ff8c00",
  wrong: "ff0000",
  "put here": "003cff",
  "take away": "ffdc00",
  movable: "00b400",
  target: "00c8c8",
  full: "9600c8",
  "15 s glass": "ff5ac8",
};
const NEXT = 1.1; // distances between neighbours within which two spaces touch

/**
 * Put the drawing that an SVG element names into it, so that its parts can be moved.
 * @param {SVGSVGElement} frame
 */
export async function draw(frame) {
  const answer = await fetch(frame.dataset.drawing ?? "");
  const { documentElement: root } = new DOMParser().parseFromString(await answer.text(), "image/svg+xml");
  for (const own of root.querySelectorAll(":scope > title, :scope > desc")) own.remove(); // the page says what it is
  frame.setAttribute("viewBox", root.getAttribute("viewBox") ?? "");
  frame.replaceChildren(...[...root.childNodes].map((node) => document.importNode(node, true)));
}

/** The colours of the lamps "rrggbb" by what the referee lights them for, in the order of the spaces. */
export function lamps(spaces) {
  return spaces.map(({ light }) => COLOURS[light] ?? "000000");
}

/** A glass in the drawing, with its sand. */
export class Glass {
  /** @param {SVGElement} element */
  constructor(element) {
    this.element = element;
    this.player = element.dataset.player ?? "";
    /** How high the sand stands in each bulb, by the part of it that is there: both from 0 to 1. */
    this.bulbs = findAll(element, "[data-heights]", SVGElement).map((sand) => ({
      sand,
      heights: (sand.dataset.heights ?? "").split(" ").map(Number),
    }));
    this.level = -1;
    this.fill(0);
  }

  /** Show the sand with `part` of it in the upper bulb. */
  fill(part) {
    const level = Math.round(part * 1000);
    if (level === this.level) return;
    this.level = level;
    const [upper, lower] = this.bulbs;
    for (const [{ sand, heights }, share] of /** @type {const} */ ([
      [upper, part],
      [lower, 1 - part],
    ])) {
      sand.style.clipPath = `inset(${((1 - height(heights, share)) * 100).toFixed(2)}% 0 0 0)`;
    }
  }

  /** Show whether sand runs, has run out for good, or is short. */
  mark({ runs, stopped = false, short = false }) {
    const { dataset } = this.element;
    dataset.runs = runs ? "yes" : "no";
    dataset.stopped = stopped ? "yes" : "no";
    dataset.short = short ? "yes" : "no";
  }
}

/** What stands between the entries of a table of heights. */
export function height(heights, part) {
  const at = Math.min(1, Math.max(0, part)) * (heights.length - 1);
  const low = Math.floor(at);
  return heights[low] + (at - low) * ((heights[low + 1] ?? heights[low]) - heights[low]);
}

/** A glass on the board: where it stands, and what is known of its sand. */
class Standing extends Glass {
  where = "";
  home = "";
  pole = 0;
  /** @type {number | undefined} */
  homePole;
  /** Whether it was turned over in the hand: until the referee knows of it, its sand is shown the other way round. */
  over = false;
  isCarried = false;
  /** @type {any} */
  news = null;

  /** @param {SVGElement} element */
  constructor(element) {
    super(element);
    this.text = find(element, "[data-part=tag] text", SVGElement);
    this.text.removeAttribute("textLength");
  }

  /** The words on its tag: its space, and its time where it has one. */
  tag(space, time) {
    const said = [space, time].filter(Boolean).join(" ");
    if (this.text.textContent !== said) this.text.textContent = said;
    this.element.dataset.timed = time ? "yes" : "no";
  }
}

export class Board {
  /** `inWords(space, rings, glass, seconds)` says what is on a space; `hands` tells whether it can be touched. */
  constructor(drawing, inWords, { hands = true } = {}) {
    this.drawing = drawing;
    this.inWords = inWords;
    this.spaces = new Map(
      findAll(drawing, "[data-space]", SVGElement).map((element) => [element.dataset.space, place(element)]),
    );
    this.order = [...this.spaces.keys()];
    this.glasses = findAll(drawing, "[data-glass]", SVGElement).map((element) => new Standing(element));
    this.ghost = find(drawing, "[data-part=ghost]", SVGElement);
    this.focused = this.order[0];
    for (const { element } of this.spaces.values()) element.setAttribute("role", hands ? "button" : "img");
    if (hands) this.focus(this.focused, false);
  }

  /** Show where everything is: `table` is what stands there, `game` what the referee knows of the sand. */
  show(game, table) {
    const counts =
      table?.rings ?? Object.fromEntries((game?.board.spaces ?? []).map(({ name, rings: count }) => [name, count]));
    for (const space of this.spaces.values()) rings(space, counts[space.name] ?? 0);
    const placed = table?.glasses ?? placesKnown(game);
    const news = matched(placed, game?.glasses ?? []);
    for (const [number, glass] of this.glasses.entries()) {
      glass.element.toggleAttribute("hidden", !placed[number]);
      if (placed[number]) this.#put(glass, placed[number], news[number]);
    }
    this.#words();
  }

  #put(glass, { where, pole, home }, news) {
    const moved = glass.where !== where;
    glass.home = home ?? glass.home;
    if (this.spaces.has(where)) {
      glass.home = where;
      glass.homePole = pole;
    }
    Object.assign(glass, { where, pole, news });
    glass.over = where === "hand" && glass.homePole !== undefined && pole !== glass.homePole;
    glass.element.dataset.where = where === "hand" || where === "beside" ? where : "space";
    if (!moved && !glass.isCarried) return;
    if (glass.isCarried && where === "hand") return;
    glass.isCarried = false;
    const space = this.spaces.get(glass.home) ?? this.spaces.get(this.order[Math.floor(this.order.length / 2)]);
    if (space) move(glass.element, space, where === "beside" ? LIES : 0);
  }

  /** Carry a glass under the pointer (page coordinates of the pointer). */
  carry(number, pointer) {
    const glass = this.glasses[number];
    const at = this.#inBoard(pointer);
    if (!glass || !at) return;
    glass.isCarried = true;
    glass.element.dataset.where = "carried";
    move(glass.element, at);
  }

  /** Carry a ring under the pointer; null lets it vanish. */
  carryRing(pointer) {
    const at = pointer && this.#inBoard(pointer);
    this.ghost.toggleAttribute("hidden", !at);
    if (at) move(this.ghost, at);
  }

  #inBoard({ x, y }) {
    const matrix = this.drawing.getScreenCTM();
    return matrix && new DOMPoint(x, y).matrixTransform(matrix.inverse());
  }

  /** The name of the space at a point of the page, or "". */
  at({ x, y }) {
    const found = document.elementFromPoint(x, y)?.closest("[data-space]");
    return found instanceof SVGElement ? (found.dataset.space ?? "") : "";
  }

  /** Light the lamps: colours "rrggbb" in the order of the spaces. */
  light(colours) {
    for (const [index, name] of this.order.entries()) {
      const space = this.spaces.get(name);
      const colour = colours[index] ?? "000000";
      if (!space || space.colour === colour) continue;
      space.colour = colour;
      const parts = [0, 2, 4].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
      const strength = Math.max(...parts);
      space.lamp.style.opacity = String(strength ? Math.min(1, 0.35 + strength / 200) : 0);
      // Lamps are dimmed for the eye at the table; a screen shows their hue at full strength.
      const full = strength ? parts.map((part) => Math.round((part * 255) / strength)) : [0, 0, 0];
      space.lamp.style.color = `rgb(${full.join(" ")})`;
    }
  }

  /** Mark the spaces that a glass in the hand can reach, and the one under the pointer. */
  mark(reachable, aim = "") {
    for (const { element, name } of this.spaces.values()) {
      element.classList.toggle("may", reachable.has(name));
      element.classList.toggle("aim", name === aim);
    }
    for (const space of this.spaces.values()) space.may = reachable.has(space.name);
    this.#words();
  }

  /** Mark where the last move came from and went to; an empty name marks nothing. */
  markLast(from, to) {
    for (const { element, name } of this.spaces.values()) {
      element.classList.toggle("came-from", name === from);
      element.classList.toggle("came-to", name === to);
    }
  }

  /** The number of the glass on a space, or -1. */
  glassOn(name) {
    return this.glasses.findIndex((glass) => glass.where === name);
  }

  /** Whether no more rings find room on a space. */
  isFull(name) {
    const space = this.spaces.get(name);
    return Boolean(space) && space?.count === space?.capacity;
  }

  /** The names of the spaces that touch one. */
  around(name) {
    const from = this.spaces.get(name);
    if (!from) return [];
    const near = Math.min(
      ...[...this.spaces.values()].filter((space) => space !== from).map((space) => distance(space, from)),
    );
    return [...this.spaces.values()]
      .filter((space) => space !== from && distance(space, from) < NEXT * near)
      .map((space) => space.name);
  }

  /**
   * The next space from `name` in the direction of an arrow key, or "".
   * @param {string} name
   * @param {[number, number]} direction
   */
  beside(name, [dx, dy]) {
    const from = this.spaces.get(name);
    if (!from) return "";
    // Sideways two neighbours are as near: up from every other file, down from the rest, so that one keeps to a row.
    const lean = (name.charCodeAt(0) - "A".charCodeAt(0)) % 2 ? 1 : -1;
    const ways = this.around(name)
      .flatMap((other) => this.spaces.get(other) ?? [])
      .map((space) => {
        const [x, y] = [space.x - from.x, space.y - from.y];
        return { name: space.name, along: x * dx + y * dy, aside: dx ? Math.abs(y - lean) : Math.abs(x) };
      });
    const ahead = ways.filter(({ along }) => along > 1).sort((one, other) => one.aside - other.aside);
    return ahead[0]?.name ?? "";
  }

  /** Let the arrow keys go from space to space, and Enter or the space bar touch one; `more(key)` may take other keys. */
  onKeys(touch, more = (_key) => false) {
    this.drawing.addEventListener("keydown", (event) => {
      const name = hit(event, "[data-space]", SVGElement)?.dataset.space;
      if (!name) return;
      const arrow = ARROWS.get(event.key);
      if (arrow) {
        const next = this.beside(name, arrow);
        if (next) this.focus(next);
      } else if (event.key === "Enter" || event.key === " ") touch(name);
      else if (!more(event.key)) return;
      event.preventDefault();
      event.stopPropagation();
    });
  }

  /** Let one space be the one that the tab key reaches. */
  focus(name, now = true) {
    for (const space of this.spaces.values()) space.element.setAttribute("tabindex", space.name === name ? "0" : "-1");
    this.focused = name;
    if (now) this.spaces.get(name)?.element.focus();
  }

  /** Let the sand run: show what is left `age` seconds after the last news. */
  run(age, { level, stopped }) {
    for (const glass of this.glasses) {
      const { news, over } = glass;
      if (!news) continue;
      const since = stopped ? 0 : age;
      const left = remaining(news, since);
      const runs = news.running && (left > 0 || Boolean(news.estimate)) && !stopped;
      glass.fill(fraction(news, since, over));
      glass.mark({ runs, stopped: level > 1 && Boolean(news.stopped), short: runs && left <= SHORT && !news.estimate });
      const time = level > 1 && (left > 0 || runs) ? says(news, over ? news.duration - left : left) : "";
      glass.tag(glass.home, time);
    }
  }

  #words() {
    for (const space of this.spaces.values()) {
      const glass = this.glasses.find(({ where }) => where === space.name);
      const timed = glass?.news?.duration > 0 && glass?.news.timed;
      const words = this.inWords(space, space.count, glass, timed ? glass?.news.remaining : null);
      space.element.classList.toggle("taken", Boolean(glass));
      if (space.words !== words) space.element.setAttribute("aria-label", words);
      space.words = words;
    }
  }
}

/** A space as the drawing has it, and what is shown on it. */
function place(element) {
  const [x, y] = (element.dataset.at ?? "").split(" ").map(Number);
  const slots = findAll(element, "[data-ring]", SVGElement);
  const lamp = find(element, "[data-part=lamp]", SVGElement);
  return {
    name: element.dataset.space ?? "",
    element,
    x,
    y,
    slots,
    lamp,
    capacity: slots.length,
    count: -1,
    colour: "",
    may: false, // whether the glass in the hand can go there
    words: "",
  };
}

function rings(space, count) {
  if (space.count === count) return;
  const before = space.count;
  space.count = count;
  for (const [slot, ring] of space.slots.entries()) {
    ring.toggleAttribute("hidden", slot >= count);
    ring.classList.toggle("fresh", before >= 0 && slot >= before && slot < count);
  }
  space.element.classList.toggle("full", count >= space.capacity);
}

/** Where it goes comes first: the property `rotate` would turn that too, and carry it off the page. */
function move(element, { x, y }, turned = 0) {
  const turn = turned ? ` rotate(${turned}deg)` : "";
  element.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)${turn}`;
}

const distance = (one, other) => Math.hypot(one.x - other.x, one.y - other.y);

/** Where the referee believes the glasses to be: for a board whose table nobody can see. */
function placesKnown(game) {
  return (game?.glasses ?? []).map(({ player, space, in_hand: inHand }) => ({
    player,
    where: inHand ? "hand" : space,
    pole: 0,
    home: space,
  }));
}

/** The news about each glass on the table: by its space first, then by its owner. */
function matched(placed, news) {
  const found = placed.map(() => null);
  const free = new Set(news);
  const take = (fits) => {
    placed.forEach((glass, number) => {
      if (found[number]) return;
      found[number] = [...free].find((item) => fits(glass, item, number)) ?? null;
      if (found[number]) free.delete(found[number]);
    });
  };
  take((glass, item) => item.player === glass.player && item.space === glass.where && !item.in_hand);
  take((glass, item, number) => item.player === glass.player && news[number] === item);
  take((glass, item) => item.player === glass.player);
  return found;
}
