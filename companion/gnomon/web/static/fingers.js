// Turn touches of places into moves, in each game's own way.
//
// Each has `touch(place, game)`, which may answer {enter: text}, {ask: text} (why it is none), {lay: squares} or {lift: squares}; `marks(game)`;
// `actions(game)`, buttons beside what is picked; `ahead(game)`, the move whose outcome is shown; `describe(place, game)`,
// its name and what is there, for those who do not see it; and `clear()`.

import { nameOf } from "./banner.js";
import { say } from "./words.js";

/** The file and the rank of a square: "c12" is [3, 12]. */
function parted(square) {
  return [square.charCodeAt(0) - 96, Number(square.slice(1))];
}

function named(file, rank) {
  return String.fromCharCode(96 + file) + rank;
}

/** A turn that was touched: entered if it is one, else only asked about, for a slip of a finger is not written down. */
function chosen(text, game) {
  const mayBe = game.moves.length < game.moves_in_all; // of very many moves only the first are told
  return game.moves.includes(text) || mayBe ? { enter: text } : { ask: text };
}

/**
 * @typedef {{enter?: string, ask?: string, lay?: string[], lift?: string[]}} Wish
 * @typedef {{label: string, quiet?: boolean, enter?: string, lay?: string[], meant?: string, run?: () => void}} Action
 */

class Fingers {
  /** Whether a hand may lay tiles anywhere. */
  anywhere = false;
  /** @type {string[] | null} */
  tiles = null;

  touch(_place, _game) {
    return /** @type {Wish | null} */ (null);
  }

  marks(_game) {
    return /** @type {Map<string, string>} */ (new Map());
  }

  actions(_game) {
    return /** @type {Action[]} */ ([]);
  }

  ahead(_game) {
    return "";
  }

  hint(_game) {
    return "";
  }

  /** The turns that begin with what has been picked; none where nothing has. */
  begun(_game) {
    return /** @type {string[]} */ ([]);
  }

  /** Places of the page's own, from those of the picture. */
  more(_places) {
    return /** @type {Record<string, number[]>} */ ({});
  }

  /** How a place is called and what is there; where that is "", what the picture says of it. */
  describe(place, _game) {
    return [place, ""];
  }

  /** Forget what was picked. */
  clear() {
    // Nothing is.
  }
}

/** A place that is a turn of that name. */
class Places extends Fingers {
  touch(place, game) {
    return chosen(place, game);
  }

  marks(game) {
    return new Map(game.moves.map((place) => [place, "may"]));
  }
}

/** A turn whose text names several places, such as "d6-d5xa1": they are touched in that order. */
class Steps extends Fingers {
  /** @type {string[]} */
  picked = [];
  /** The names of the picture's places in a text, the longest first. */
  names = /(?!)/gu;

  clear() {
    this.picked = [];
  }

  more(places) {
    const names = Object.keys(places).sort((one, other) => other.length - one.length);
    this.names = names.length ? new RegExp(names.map(escaped).join("|"), "gu") : /(?!)/gu;
    return {};
  }

  touch(place, game) {
    const { picked } = this;
    this.picked = [];
    if (picked.length && picked.at(-1) === place) return null; // touched twice: let go
    for (const begun of picked.length ? [picked, []] : [[]]) {
      const touched = [...begun, place];
      const fits = this.#begun(touched, game);
      if (!fits.length) continue; // what does not fit begins another choice, and is no turn yet: it may be a slip
      const goesOn = begun.length === picked.length;
      if (goesOn && fits.length === 1 && fits[0].places.length === touched.length) return { enter: fits[0].text };
      this.picked = touched;
      return null;
    }
    const text = this.#like(picked, place, game);
    return text ? chosen(text, game) : null;
  }

  marks(game) {
    const { picked } = this;
    const mark = picked.length ? "target" : "may";
    const next = this.#begun(picked, game).flatMap(({ places }) => places.slice(picked.length, picked.length + 1));
    return new Map([
      ...next.map((place) => /** @type {[string, string]} */ ([place, mark])),
      ...picked.map((place) => /** @type {[string, string]} */ ([place, "picked"])),
    ]);
  }

  begun(game) {
    return this.picked.length ? this.#begun(this.picked, game).map(({ text }) => text) : [];
  }

  /** What is a whole turn already, and could go on. */
  actions(game) {
    return this.#whole(game).map((text) => ({ label: text, enter: text }));
  }

  ahead(game) {
    return this.#whole(game)[0] ?? "";
  }

  hint(game) {
    const { picked } = this;
    const goesOn = picked.length > 0 && this.#begun(picked, game).some(({ places }) => places.length > picked.length);
    return goesOn ? say("bench.steps", { places: picked.join(", ") }) : "";
  }

  /** The moves whose places begin with some, each with its places. */
  #begun(places, game) {
    return game.moves
      .map((text) => ({ text, places: text.match(this.names) ?? [] }))
      .filter((move) => places.every((place, number) => move.places[number] === place));
  }

  #whole(game) {
    const { length } = this.picked;
    if (!length) return [];
    return this.#begun(this.picked, game)
      .filter(({ places }) => places.length === length)
      .map(({ text }) => text);
  }

  /** A legal move that begins so, with another place where the next one stands: what is asked about. */
  #like(picked, place, game) {
    const found = this.#begun(picked, game).find(({ places }) => places.length > picked.length);
    let number = -1;
    const other = (name) => {
      number += 1;
      return number === picked.length ? place : name;
    };
    return found?.text.replace(this.names, other) ?? "";
  }
}

function escaped(name) {
  return name.replace(/[.*+?^${}()|[\]\\/]/gu, "\\$&");
}

/** Tabik: the square of the black stone, then that of the white one; or two stones that change places. */
class Stones extends Fingers {
  first = "";

  clear() {
    this.first = "";
  }

  touch(place, game) {
    const { first } = this;
    this.first = "";
    if (first === place) return null;
    const wish = first ? chosen(this.#text(first, place, game), game) : null;
    if (!wish?.enter) this.first = place; // what does not fit begins another choice
    return wish;
  }

  marks(game) {
    if (!this.first) return new Map();
    const marks = new Map(this.#targets(game).map((place) => [place, "target"]));
    return marks.set(this.first, "picked");
  }

  begun(game) {
    return this.first ? this.#targets(game).map((place) => this.#text(this.first, place, game)) : [];
  }

  #targets(game) {
    const [file, rank] = parted(this.first);
    const around = [named(file + 1, rank), named(file - 1, rank), named(file, rank + 1), named(file, rank - 1)];
    return around.filter((place) => game.moves.includes(this.#text(this.first, place, game)));
  }

  hint(game) {
    if (!this.first) return "";
    return this.#stone(this.first, game)
      ? say("bench.stones.swap", { place: this.first })
      : say("bench.stones.white", { place: this.first });
  }

  actions(game) {
    return game.moves.includes("pie") ? [{ label: say("bench.swap_sides"), quiet: true, enter: "pie" }] : [];
  }

  describe(place, game) {
    const stone = { B: "bench.on.black", W: "bench.on.white" }[this.#stone(place, game)] ?? "bench.on.empty";
    const ends = game.state.rods.map((rod) => rod.match(/[a-z]+\d+/gu)).filter((pair) => pair.includes(place));
    const rods = ends.map(([one, other]) => say("bench.on.rod", { place: one === place ? other : one }));
    return [place, [say(stone), ...rods].join(", ")];
  }

  #stone(place, game) {
    const [file, rank] = parted(place);
    const row = game.state.board[game.state.board.length - rank];
    return row?.[file - 1] !== "." ? row?.[file - 1] : "";
  }

  #text(first, second, game) {
    if (!this.#stone(first, game) || !this.#stone(second, game)) return first + second;
    const [file, rank] = parted(first);
    const [otherFile, otherRank] = parted(second);
    const lower = rank < otherRank || (rank === otherRank && file < otherFile);
    return lower ? `${first}~${second}` : `${second}~${first}`;
  }
}

/** TAU: the name of a row or column, or a square of the grid, which lies in one of each. */
class Lines extends Fingers {
  /** @type {string[]} */
  lines = [];

  clear() {
    this.lines = [];
  }

  touch(place, game) {
    const lines = place.split(" ");
    if (lines.length === 1 && this.lines.join() === place) return chosen(place, game);
    this.lines = lines;
    return null;
  }

  marks() {
    return new Map(this.lines.map((line) => [line, "picked"]));
  }

  actions(game) {
    if (game.due === "bid") return [];
    return this.lines.map((line) => ({ label: say("bench.line", { line: spoken(line) }), enter: line }));
  }

  ahead(game) {
    return game.due === "line" && this.lines.length === 1 ? this.lines[0] : "";
  }

  hint() {
    const [one, other] = this.lines.map(spoken);
    return other ? say("bench.line.which", { one, other }) : "";
  }

  describe(place, game) {
    const lines = place.split(" ");
    const drawn = lines.filter((line) => game.state.rows.includes(line) || game.state.columns.includes(line));
    const name = lines.map(spoken).join(", ");
    return [name, drawn.length ? say("bench.on.drawn", { line: drawn.map(spoken).join(", ") }) : say("bench.on.open")];
  }

  /** The squares of the grid: where a row and a column meet. */
  more(places) {
    const lines = Object.entries(places);
    const rows = lines.filter(([name]) => name.startsWith("r"));
    const columns = lines.filter(([name]) => name.startsWith("c"));
    return Object.fromEntries(
      rows.flatMap(([row, [, y, , height]]) =>
        columns.map(([column, [x, , width]]) => [`${row} ${column}`, [x, y, width, height]]),
      ),
    );
  }
}

function spoken(line) {
  return say(line.startsWith("r") ? "bench.line.row" : "bench.line.column", { name: line.slice(1) });
}

/** Tau (Twenty Squares): a counter, then where it goes; the player's tray is their hand, and their home. */
class Counters extends Fingers {
  from = "";

  clear() {
    this.from = "";
  }

  touch(place, game) {
    const own = place === game.actor;
    const isTray = game.players.some(({ player }) => player === place);
    const { from } = this;
    const to = isTray ? "off" : place;
    const begins = own ? "in" : isTray ? "" : place;
    this.from = "";
    if (from && begins === from) return null;
    const wish = from ? chosen(`${from}-${to}`, game) : null;
    if (!wish?.enter) this.from = begins; // what does not fit begins another choice
    return wish;
  }

  marks(game) {
    const ways = game.is_natures ? [] : game.moves.map((text) => text.split("-")).filter((way) => way.length === 2);
    const place = (name) => (name === "in" || name === "off" ? game.actor : name);
    if (!this.from) return new Map(ways.map(([from]) => [place(from), "may"]));
    const targets = ways.filter(([from]) => from === this.from).map(([, to]) => [place(to), "target"]);
    return new Map([[place(this.from), "picked"], ...targets]);
  }

  describe(place, game) {
    const { counters, hand, home } = game.state;
    if (place in counters) return [nameOf(game, place), say("bench.on.tray", { hand: hand[place], home: home[place] })];
    const here = Object.entries(counters).map(([player, squares]) => [
      player,
      squares.filter((square) => square === place).length,
    ]);
    const said = here
      .filter(([, count]) => count)
      .map(([player, count]) => say("bench.on.counters", { player: nameOf(game, player), count }));
    return [place, said.join(", ") || say("bench.on.empty")];
  }

  ahead(game) {
    const texts = this.begun(game);
    return texts.length === 1 ? texts[0] : "";
  }

  begun(game) {
    return game.moves.filter((text) => this.from && text.startsWith(`${this.from}-`));
  }

  hint() {
    if (!this.from) return "";
    return this.from === "in" ? say("bench.counter.in") : say("bench.counter.from", { place: this.from });
  }

  actions(game) {
    const words = { convert: say("bench.convert"), forfeit: say("bench.forfeit") };
    return Object.entries(words)
      .filter(([text]) => game.moves.includes(text))
      .map(([enter, label]) => ({ label, enter }));
  }
}

/** @type {Record<string, [number, number]>} */
const STEPS = { E: [1, 0], S: [0, -1], W: [-1, 0], N: [0, 1] };

/** The squares under a laid tile: "013@h9/E" covers h9, i9 and j9. */
export function covered(text) {
  const [, start, direction] = text.match(/@(\w+)\/([ESWN])$/u);
  const [file, rank] = parted(start);
  const [dx, dy] = STEPS[direction];
  return [0, 1, 2].map((step) => named(file + step * dx, rank + step * dy));
}

/** Tayu: a square under the tile; the legal ways to cover it are gone through one by one. On a board with sensors a hand
 * may also lay three squares anywhere, and take tiles off. */
class Tiles extends Fingers {
  /** @type {{text: string, squares: string[]} | null} */
  picked = null;
  /** @type {{text: string, squares: string[]}[]} */
  ways = [];
  /** @type {string[]} */
  last = [];
  end = "";

  clear() {
    this.picked = null;
    this.ways = [];
    this.end = "";
  }

  touch(place, game) {
    if (this.anywhere && this.tiles) return this.#byHand(place, game);
    const ways = (game.tile?.placements ?? []).filter(({ squares }) => squares.includes(place));
    // What has its middle there comes first.
    ways.sort((one, other) => Number(other.squares[1] === place) - Number(one.squares[1] === place));
    const same = this.picked && this.ways.map(({ text }) => text).join() === ways.map(({ text }) => text).join();
    this.ways = ways;
    this.picked = same ? this.#next() : (ways[0] ?? null);
    return null;
  }

  marks(game) {
    const marks = new Map();
    const laid = new Set((game.state.laid ?? []).flatMap(covered));
    for (const square of this.tiles ?? []) if (!laid.has(square)) marks.set(square, "lies");
    if (this.tiles) for (const square of laid) if (!this.tiles.includes(square)) marks.set(square, "wrong");
    if (this.anywhere && this.tiles) return this.end ? marks.set(this.end, "picked") : marks;
    if (game.outcome || game.paused || game.phase === "wrong") return marks;
    for (const { squares } of game.tile?.placements ?? []) for (const square of squares) marks.set(square, "may");
    for (const square of this.picked?.squares ?? []) marks.set(square, "picked");
    return marks;
  }

  describe(place, game) {
    const laid = (game.state.laid ?? []).find((text) => covered(text).includes(place));
    return [place, laid ? say("bench.on.tile", { kind: laid.split("@")[0] }) : say("bench.on.empty")];
  }

  hint() {
    if (this.anywhere && this.tiles)
      return this.end ? say("bench.tiles.end", { place: this.end }) : say("bench.tiles.touch");
    return this.picked
      ? say("bench.tiles.ways", { at: this.ways.findIndex((way) => way === this.picked) + 1, all: this.ways.length })
      : "";
  }

  actions() {
    if (!this.picked || this.anywhere) return [];
    const { text, squares } = this.picked;
    const lay = this.tiles
      ? { label: say("bench.lay"), lay: squares, meant: text }
      : { label: say("bench.lay"), enter: text };
    const turn = { label: say("bench.turn_tile"), quiet: true, run: () => this.#turn() };
    return this.ways.length > 1 ? [lay, turn] : [lay];
  }

  ahead() {
    return this.anywhere ? "" : (this.picked?.text ?? "");
  }

  #turn() {
    this.picked = this.#next();
  }

  #next() {
    return this.ways[(this.ways.findIndex((way) => way === this.picked) + 1) % this.ways.length];
  }

  #byHand(place, game) {
    const { end } = this;
    const tiles = this.tiles ?? [];
    this.end = "";
    if (!end && tiles.includes(place)) {
      const tile = (game.state.laid ?? []).map(covered).find((squares) => squares.includes(place)) ?? this.last;
      return { lift: tile?.includes(place) && tile.every((square) => tiles.includes(square)) ? tile : [place] };
    }
    if (end && end !== place) {
      const [[file, rank], [otherFile, otherRank]] = [parted(end), parted(place)];
      const middle = [(file + otherFile) / 2, (rank + otherRank) / 2];
      if (Math.abs(file - otherFile) + Math.abs(rank - otherRank) === 2 && (file === otherFile || rank === otherRank)) {
        this.last = [end, named(middle[0], middle[1]), place];
        return { lay: this.last };
      }
    }
    this.end = end === place ? "" : place;
    return null;
  }
}

// How games are played with a finger, by their `touch`.
/** @type {Record<string, new () => Fingers>} */
export const FINGERS = { places: Places, steps: Steps, stones: Stones, lines: Lines, tiles: Tiles, counters: Counters };
