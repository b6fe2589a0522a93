// Draw a glass, a ring and a tube. Units: 100 between neighbouring spaces.

import { svg } from "./dom.js";

export const LIFT = 8; // height of one ring
export const FOOT = 22; // how far below the middle of its tile a tube stands
export const GLASS_HEIGHT = 72;

/** A flat-topped hexagon around the origin. */
export function hexagon(radius) {
  const corners = [0, 60, 120, 180, 240, 300].map((degrees) => {
    const angle = (degrees * Math.PI) / 180;
    return `${(radius * Math.cos(angle)).toFixed(2)},${(radius * Math.sin(angle)).toFixed(2)}`;
  });
  return `M${corners.join("L")}Z`;
}

/** A ring lying at height `level` on its tube or spindle. */
export function ring(level, { rx = 35, ry = 14.5, hole = 0.7, lift = LIFT } = {}) {
  const y = -lift * level;
  const top = y - lift + 1;
  const ellipse = (a, b, at) => `M${-a},${at}a${a},${b} 0 1 0 ${2 * a},0a${a},${b} 0 1 0 ${-2 * a},0Z`;
  return svg(
    "g",
    { class: "ring" },
    svg("path", { class: "ring-side", d: `M${-rx},${top}V${y}a${rx},${ry} 0 0 0 ${2 * rx},0V${top}Z` }),
    svg("path", { class: "ring-top", d: ellipse(rx, ry, top) + ellipse(rx * hole, ry * hole, top) }),
  );
}

/** The part of a tube that stands out above `rings` rings, with a line at each ring's height. */
export function tube(capacity, rings) {
  const [rx, ry] = [23, 9.5];
  const bottom = -LIFT * rings;
  const top = -LIFT * capacity;
  const group = svg("g", { class: "tube-body" });
  if (rings < capacity) {
    group.append(svg("path", { class: "tube", d: `M${-rx},${top}V${bottom}a${rx},${ry} 0 0 0 ${2 * rx},0V${top}Z` }));
    for (let level = rings + 1; level < capacity; level += 1) {
      group.append(svg("path", { class: "tube-slot", d: `M${-rx},${-LIFT * level}a${rx},${ry} 0 0 0 ${2 * rx},0` }));
    }
  }
  group.append(svg("ellipse", { class: "tube-top", cx: 0, cy: top, rx, ry }));
  return group;
}

/** The sign that a full space is closed: a cross on the lid of its tube. */
export function fullMark(capacity) {
  const y = -LIFT * capacity;
  return svg("path", { class: "full-mark", d: `M-10,${y - 4}L10,${y + 4}M10,${y - 4}L-10,${y + 4}` });
}

const TOP = -GLASS_HEIGHT;
const NECK = TOP / 2;
const BULB =
  `M-14,${TOP + 7}L14,${TOP + 7}C14,${NECK - 10} 2.2,${NECK - 7} 2.2,${NECK}` +
  `C2.2,${NECK + 7} 14,${NECK + 10} 14,-7L-14,-7C-14,${NECK + 10} -2.2,${NECK + 7} -2.2,${NECK}` +
  `C-2.2,${NECK - 7} -14,${NECK - 10} -14,${TOP + 7}Z`;
const ROOM = -NECK - 7; // height of one bulb

let glasses = 0;

/** A sand glass standing on the origin: red has round caps with a dot, black square caps with stripes. */
export class Glass {
  constructor(player) {
    glasses += 1;
    const clip = `bulb-${glasses}`;
    this.player = player;
    this.upper = svg("path", { class: "glass-sand" });
    this.lower = svg("path", { class: "glass-sand" });
    this.stream = svg("line", { class: "glass-stream", x1: 0, x2: 0, y1: NECK - 2, y2: -8 });
    this.time = svg("text", { x: 0, y: 6 });
    this.drawing = svg(
      "g",
      { class: "glass-drawing" },
      svg("clipPath", { id: clip }, svg("path", { d: BULB })),
      svg("path", { class: "glass-post", d: `M-17.5,${TOP + 4}V-4M17.5,${TOP + 4}V-4` }),
      svg("path", { class: "glass-bulb", d: BULB }),
      svg("g", { "clip-path": `url(#${clip})` }, this.upper, this.lower),
      this.stream,
      ...caps(player),
      svg("path", { class: "stopped-back", d: `M-9,${NECK - 9}l18,18m0,-18l-18,18` }),
      svg("path", { class: "stopped-mark", d: `M-9,${NECK - 9}l18,18m0,-18l-18,18` }),
    );
    this.chip = svg(
      "g",
      { class: "chip", transform: "translate(0 8)" },
      svg("rect", { x: -23, y: -9, width: 46, height: 20, rx: 10 }),
      this.time,
    );
    this.element = svg(
      "g",
      { class: `glass glass-${player}` },
      svg("ellipse", { class: "glass-shadow", cx: 0, cy: -1, rx: 20, ry: 7 }),
      this.drawing,
      this.chip,
    );
    this.level = null;
    this.fill(0);
  }

  /** Draw the sand with `fraction` of it in the upper bulb. */
  fill(fraction) {
    const level = Math.round(fraction * 1000);
    if (level === this.level) return;
    this.level = level;
    // A bulb narrows towards the neck, so the height of its sand is not in proportion to the sand.
    const upper = ROOM * fraction ** 0.6;
    const lower = ROOM * (1 - fraction ** 0.6);
    const surface = NECK - upper;
    const heap = -7 - lower;
    const sag = Math.min(3, upper);
    const peak = Math.min(5, lower);
    this.upper.setAttribute(
      "d",
      upper ? `M-15,${surface - sag / 2}Q0,${surface + sag} 15,${surface - sag / 2}V${NECK}H-15Z` : "",
    );
    this.lower.setAttribute("d", lower ? `M-15,${heap + peak / 2}Q0,${heap - peak} 15,${heap + peak / 2}V-6H-15Z` : "");
    this.stream.setAttribute("y2", String(Math.max(NECK, heap)));
  }

  /** The words on its tag, none when empty. */
  tag(text) {
    if (this.time.textContent !== text) this.time.textContent = text;
    this.element.classList.toggle("timed", text !== "");
  }
}

function caps(player) {
  const tops = [TOP, -8];
  if (player === "black") {
    return tops.flatMap((y) => [
      svg("rect", { class: "glass-cap", x: -21, y, width: 42, height: 9 }),
      svg("path", { class: "glass-mark", d: `M-9,${y + 1.5}v6M0,${y + 1.5}v6M9,${y + 1.5}v6` }),
    ]);
  }
  const dot = player === "red" ? 2.6 : 0;
  return tops.flatMap((y) => [
    svg("rect", { class: "glass-cap", x: -21, y, width: 42, height: 9, rx: 4.5 }),
    svg("circle", { class: "glass-mark", cx: 0, cy: y + 4.5, r: dot }),
  ]);
}
