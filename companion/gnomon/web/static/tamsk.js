// Draw the board: spaces, rings, lamps and the six glasses, from the news alone.

import { svg } from "./dom.js";
import { FOOT, GLASS_HEIGHT, Glass, LIFT, fullMark, hexagon, ring, tube } from "./drawing.js";
import { fraction, remaining, says } from "./sand.js";

const SHORT = 10; // seconds left from which a glass is marked as running short
const still = matchMedia("(prefers-reduced-motion: reduce)");

export class Board {
  /** `inWords(space, rings, glass, seconds)` says what is on a space; `hands` tells whether it can be touched. */
  constructor(drawing, inWords, { hands = true } = {}) {
    this.drawing = drawing;
    this.inWords = inWords;
    this.hands = hands;
    this.spaces = new Map(); // name → {name, x, y, capacity, at, element, …}
    this.glasses = []; // by number: {view, where, pole, news, over, home}
    this.air = svg("g", { class: "air" });
    this.focused = null;
  }

  /** Draw the empty board once its spaces are known. */
  layOut(spaces) {
    if (this.spaces.size) return;
    const edge = svg("g", { class: "board-edge", transform: "translate(0 9)" });
    const frame = svg("g", { class: "board-frame" });
    this.drawing.replaceChildren(edge, frame);
    const inRows = [...spaces].sort((one, two) => one.y - two.y || one.x - two.x);
    for (const space of inRows) {
      const at = { x: space.x * 100, y: space.y * 100 };
      const place = { d: hexagon(54), transform: `translate(${at.x} ${at.y})` };
      edge.append(svg("path", place));
      frame.append(svg("path", place));
      this.drawing.append(this.#space(space, at));
    }
    this.drawing.append(this.air);
    this.order = spaces.map((space) => space.name);
    if (this.hands) this.focus(this.order[0], false);
    const xs = spaces.map((space) => space.x * 100);
    const ys = spaces.map((space) => space.y * 100);
    const [left, top] = [Math.min(...xs) - 84, Math.min(...ys) - 90];
    this.drawing.setAttribute("viewBox", `${left} ${top} ${Math.max(...xs) + 84 - left} ${Math.max(...ys) + 94 - top}`);
  }

  #space(space, at) {
    const glow = svg(
      "g",
      { class: "lamp-glow" },
      svg("ellipse", { rx: 50, ry: 27, opacity: 0.35 }),
      svg("ellipse", { rx: 46, ry: 22, opacity: 0.55 }),
    );
    const light = svg("ellipse", { class: "lamp-light", rx: 42, ry: 18.5 });
    const stack = svg("g", { class: "stack" });
    const foot = svg("g", { class: "foot", transform: `translate(0 ${-LIFT * space.capacity})` });
    const element = svg(
      "g",
      {
        class: "space",
        transform: `translate(${at.x} ${at.y})`,
        "data-space": space.name,
        ...(this.hands ? { role: "button", tabindex: -1 } : { role: "img" }),
      },
      svg("path", { class: "tile", d: hexagon(54) }),
      svg("text", { class: "space-name", x: -35, y: 0 }, space.name),
      svg(
        "g",
        { transform: `translate(0 ${FOOT})` },
        glow,
        svg("ellipse", { class: "well", rx: 42, ry: 18.5 }),
        svg("ellipse", { class: "lamp", rx: 42, ry: 18.5 }),
        light,
        stack,
        foot,
      ),
    );
    this.spaces.set(space.name, { ...space, at, element, glow, light, stack, foot, rings: null });
    return element;
  }

  /** Show where everything is: `table` is what stands there, `game` what the referee knows of the sand. */
  show(game, table) {
    if (game) this.layOut(game.board.spaces);
    if (!this.spaces.size) return;
    const counts = table
      ? table.rings
      : Object.fromEntries((game?.board.spaces ?? []).map((space) => [space.name, space.rings]));
    for (const space of this.spaces.values()) this.#rings(space, counts[space.name] ?? 0);
    const placed = table ? table.glasses : placesKnown(game);
    const news = matched(placed, game?.glasses ?? []);
    placed.forEach((glass, number) => this.#glass(number, glass, news[number]));
    this.#words();
  }

  #rings(space, count) {
    if (space.rings === count) return;
    const dropped = space.rings !== null && count > space.rings;
    space.rings = count;
    const rings = Array.from({ length: count }, (_, level) => ring(level));
    space.stack.replaceChildren(...rings, tube(space.capacity, count), fullMark(space.capacity));
    if (dropped && !still.matches) {
      rings.at(-1)?.animate(
        [
          { transform: "translateY(-70px)", opacity: 0.6 },
          { transform: "none", opacity: 1 },
        ],
        { duration: 190, easing: "cubic-bezier(.5,0,1,.6)" },
      );
    }
    space.element.classList.toggle("full", count >= space.capacity);
  }

  #glass(number, { player, where, pole, home }, news) {
    this.glasses[number] ??= { view: new Glass(player), where: null, pole, over: false, home: null };
    const glass = this.glasses[number];
    const moved = glass.where !== where;
    glass.home = home ?? glass.home;
    if (this.spaces.has(where)) {
      if (moved) this.#stand(glass, where);
      glass.home = where;
      glass.homePole = pole;
    } else if (moved) {
      glass.home ??= this.order[Math.floor(this.order.length / 2)];
      this.#raise(glass, where);
    }
    glass.where = where;
    glass.pole = pole;
    glass.news = news;
    // Until the referee knows of it, a glass turned over in the hand shows its sand the other way round.
    glass.over = where === "hand" && glass.homePole !== undefined && pole !== glass.homePole;
  }

  #stand(glass, where) {
    const space = this.spaces.get(where);
    const from = this.#position(glass);
    glass.view.element.removeAttribute("transform");
    glass.view.element.classList.remove("in-air", "lying");
    space.foot.append(glass.view.element);
    const to = { x: space.at.x, y: space.at.y + FOOT - LIFT * space.capacity };
    if (from && !still.matches) {
      glass.view.drawing.animate(
        [{ transform: `translate(${from.x - to.x}px, ${from.y - to.y}px)` }, { transform: "none" }],
        { duration: glass.dragged ? 90 : 260, easing: "cubic-bezier(.3,.7,.3,1)" },
      );
    }
    glass.dragged = false;
  }

  #position(glass) {
    if (glass.air) {
      const at = glass.air;
      glass.air = null;
      return at;
    }
    const space = this.spaces.get(glass.where);
    return space ? { x: space.at.x, y: space.at.y + FOOT - LIFT * space.capacity } : null;
  }

  #raise(glass, where) {
    const home = this.spaces.get(glass.home);
    const foot = { x: home.at.x, y: home.at.y + FOOT - LIFT * home.capacity };
    this.air.append(glass.view.element);
    glass.view.element.classList.toggle("in-air", where === "hand");
    glass.view.element.classList.toggle("lying", where === "beside");
    if (!glass.dragged) this.#hover(glass, where === "hand" ? { x: foot.x, y: foot.y - 34 } : foot, where === "beside");
    if (where === "hand" && !glass.dragged && !still.matches) {
      glass.view.drawing.animate([{ transform: "translateY(34px)" }, { transform: "none" }], {
        duration: 160,
        easing: "ease-out",
      });
    }
  }

  #hover(glass, at, lying = false) {
    glass.air = at;
    const tilt = lying ? ` rotate(76) translate(8 ${GLASS_HEIGHT / 3})` : "";
    glass.view.element.setAttribute("transform", `translate(${at.x.toFixed(1)} ${at.y.toFixed(1)})${tilt}`);
  }

  /** Carry a glass under the pointer (page coordinates of the pointer). */
  carry(number, pointer) {
    const glass = this.glasses[number];
    const at = this.#inBoard(pointer);
    if (!glass || !at) return;
    glass.dragged = true;
    if (glass.view.element.parentNode !== this.air) this.air.append(glass.view.element);
    glass.view.element.classList.add("in-air");
    this.#hover(glass, { x: at.x, y: at.y + GLASS_HEIGHT / 2 });
  }

  /** Carry a ring under the pointer; null lets it vanish. */
  carryRing(pointer) {
    const at = pointer && this.#inBoard(pointer);
    if (!at) {
      this.ghost?.remove();
      this.ghost = null;
      return;
    }
    this.ghost ??= this.air.appendChild(svg("g", { class: "ghost-ring" }, ring(0)));
    this.ghost.setAttribute("transform", `translate(${at.x} ${at.y})`);
  }

  #inBoard({ x, y }) {
    const matrix = this.drawing.getScreenCTM();
    return matrix && new DOMPoint(x, y).matrixTransform(matrix.inverse());
  }

  /** The name of the space at a point of the page, or "". */
  at({ x, y }) {
    return (
      /** @type {SVGElement | null} */ (document.elementFromPoint(x, y)?.closest(".space") ?? null)?.dataset.space ?? ""
    );
  }

  /** Light the lamps: 37 colours "rrggbb" in the order of the spaces. */
  light(colours) {
    this.order?.forEach((name, index) => {
      const space = this.spaces.get(name);
      const colour = colours[index] ?? "000000";
      if (space.colour === colour) return;
      space.colour = colour;
      const parts = [0, 2, 4].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
      const strength = Math.max(...parts);
      space.light.style.opacity = strength ? Math.min(1, 0.35 + strength / 200) : 0;
      space.glow.style.opacity = strength / 255;
      // Lamps are dimmed for the eye at the table; a screen shows their hue at full strength.
      const full = strength ? parts.map((part) => Math.round((part * 255) / strength)) : [0, 0, 0];
      space.element.style.color = `rgb(${full.join(" ")})`;
    });
  }

  /** Mark the spaces that a glass in the hand can reach, and the one under the pointer. */
  mark(reachable, aim = "") {
    for (const space of this.spaces.values()) {
      space.element.classList.toggle("may", reachable.has(space.name));
      space.element.classList.toggle("aim", space.name === aim);
    }
  }

  /** Mark where the last move came from and went to; an empty name marks nothing. */
  markLast(from, to) {
    for (const space of this.spaces.values()) {
      space.element.classList.toggle("came-from", space.name === from);
      space.element.classList.toggle("came-to", space.name === to);
    }
  }

  /** The number of the glass on a space, or -1. */
  glassOn(name) {
    return this.glasses.findIndex((glass) => glass.where === name);
  }

  /** The names of the spaces that touch one. */
  around(name) {
    const from = this.spaces.get(name);
    if (!from) return [];
    return [...this.spaces.values()]
      .filter((space) => space !== from && Math.hypot(space.x - from.x, space.y - from.y) < 1.1)
      .map((space) => space.name);
  }

  /** The next space from `name` in the direction of an arrow key, or "". */
  beside(name, [dx, dy]) {
    const from = this.spaces.get(name);
    // Sideways two neighbours are as near: up from every other file, down from the rest, so that one keeps to a row.
    const lean = (name.charCodeAt(0) - "A".charCodeAt(0)) % 2 ? 0.01 : -0.01;
    /** @type {[string, number]} */
    let best = ["", Infinity];
    for (const around of this.around(name)) {
      const space = this.spaces.get(around);
      const [x, y] = [space.x - from.x, space.y - from.y];
      const along = x * dx + y * dy;
      const aside = dx ? Math.abs(y - lean) : Math.abs(x);
      if (along > 0.4 && aside < best[1]) best = [around, aside];
    }
    return best[0];
  }

  /** Let one space be the one that the tab key reaches. */
  focus(name, now = true) {
    this.spaces.get(this.focused)?.element.setAttribute("tabindex", -1);
    this.focused = name;
    const { element } = this.spaces.get(name);
    element.setAttribute("tabindex", 0);
    if (now) element.focus();
  }

  /** Let the sand run: draw what is left `age` seconds after the last news. */
  run(age, { level, stopped }) {
    for (const { view, news, over } of this.glasses) {
      if (!news) continue;
      const since = stopped ? 0 : age;
      const left = remaining(news, since);
      const part = fraction(news, since, over);
      const runs = news.running && (left > 0 || Boolean(news.estimate)) && !stopped;
      view.fill(part);
      view.element.classList.toggle("running", runs);
      view.element.classList.toggle("stopped", level > 1 && Boolean(news.stopped));
      view.element.classList.toggle("short", runs && left <= SHORT && !news.estimate);
      view.tag(level > 1 && (left > 0 || runs) ? says(news, over ? news.duration - left : left) : "");
    }
  }

  #words() {
    for (const space of this.spaces.values()) {
      const glass = this.glasses.find(({ where }) => where === space.name);
      const timed = glass?.news && glass.news.duration > 0 && glass.news.running !== undefined;
      const words = this.inWords(
        space,
        space.rings,
        glass?.view,
        timed && glass.news.timed ? glass.news.remaining : null,
      );
      space.element.classList.toggle("taken", Boolean(glass));
      if (space.words !== words) space.element.setAttribute("aria-label", words);
      space.words = words;
    }
  }
}

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
