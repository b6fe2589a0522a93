// Cut a game's picture to the board itself: all of it that a narrow screen shows.

// How far the picture of a board reaches beyond its places, in its own units: coordinates, rims, counters. Left, top,
// right, bottom.
const EDGES = { tayu: [104, 76, 72, 104], tabik: [62, 24, 24, 56], tau: [12, 12, 26, 26] };

/** The view box of the board alone, from where its places lie; "" where the whole picture is needed. */
export function crop(game, boxes) {
  const edge = EDGES[game];
  if (edge === undefined || boxes.length === 0) return "";
  const left = Math.min(...boxes.map(([x]) => x)) - edge[0];
  const top = Math.min(...boxes.map(([, y]) => y)) - edge[1];
  const right = Math.max(...boxes.map(([x, , width]) => x + width)) + edge[2];
  const bottom = Math.max(...boxes.map(([, y, , height]) => y + height)) + edge[3];
  return `${left} ${top} ${right - left} ${bottom - top}`;
}
