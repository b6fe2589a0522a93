// Cut a game's picture to the board itself: all of it that a narrow screen shows.

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
