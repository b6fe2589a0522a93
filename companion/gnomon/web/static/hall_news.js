// Follow a hall: every board as it was told last, and what has passed since by this page's clock.

import { optional } from "./dom.js";
import { whole } from "./seconds.js";
import { poll } from "./poll.js";
import { listen } from "./stream.js";

/** @type {Record<string, number>} */
const RANK = { question: 1, wrong: 1, running: 3, paused: 4, waiting: 5, over: 6, adjourned: 7, empty: 8 };
const COUNTS = new Set(["running", "question", "wrong"]);
const parts = new Intl.Collator("en", { numeric: true });

/** A board as it was told, and when that came. */
class Board {
  /** @type {string} */ board = "";
  /** @type {string} */ presence = "";
  /** @type {string} */ phase = "";
  /** @type {number | undefined} */ urgent;

  /**
   * @param {object} told
   * @param {number} number
   * @param {number} [age] milliseconds since it was told
   */
  constructor(told, number, age = 0) {
    Object.assign(this, told);
    this.number = number;
    this.heard = performance.now() - age;
  }

  /** In which state it is: that of its game, or why nothing is known of that. */
  get state() {
    return this.presence === "online" ? this.phase : this.presence;
  }

  /**
   * What is left of a time of this board now, in milliseconds.
   * @param {number} time
   */
  left(time, runs = true) {
    return Math.max(0, runs ? time - (performance.now() - this.heard) : time);
  }

  /** What a player who has a clock has left now. */
  of(player) {
    return this.left(player.left, player.runs);
  }

  /** What is left of the shortest time that runs. */
  get least() {
    return this.presence === "online" && this.urgent !== undefined ? this.left(this.urgent) : Infinity;
  }

  isShort(short) {
    return this.least < short;
  }

  rank(short) {
    if (this.isShort(short)) return 0;
    if (this.presence === "lost") return COUNTS.has(this.phase) ? 2 : 9;
    return this.presence === "online" ? (RANK[this.phase] ?? 8) : 10;
  }
}

/** Time trouble first, then what needs somebody, then what is being played. */
export function byTime(short) {
  return (one, other) =>
    one.rank(short) - other.rank(short) ||
    (one.least === other.least ? 0 : one.least - other.least) ||
    byName(one, other);
}

/** t9 before t10. */
export function byName(one, other) {
  return parts.compare(one.board, other.board);
}

/** 1:02:03, 4:05, and tenths where people count them. */
export function spoken(milliseconds) {
  if (milliseconds < 10000) return (Math.ceil(milliseconds / 100) / 10).toFixed(1);
  return whole(Math.ceil(milliseconds / 1000));
}

export class HallNews {
  /** @type {Map<string, Board>} */
  boards = new Map();
  /** @type {number | null} */
  asking = null;

  /**
   * `changed(names)` hears which boards are told again, null for all of them.
   * @param {{address: string, changed: (names: string[] | null) => void, live: (live: boolean) => void,
   *   rounds?: (told: any[]) => void, alarms?: (told: any) => void}} on
   */
  constructor({ address, changed, live, rounds, alarms }) {
    this.number = -1;
    this.missed = address.replace(/events.*$/u, "boards.json");
    this.changed = changed;
    this.rounds = rounds;
    this.clocks = {};
    const file = optional(document, "main[data-news]")?.dataset.news;
    if (file) {
      const mark = optional(document, "#live");
      if (mark) mark.hidden = false;
      poll(file, async (answer, age) => this.#take(await answer.json(), true, age), live);
      return;
    }
    listen(
      address,
      {
        hello: ({ number }) => this.#ask(number < this.number ? -1 : this.number),
        resync: ({ number }) => this.#ask(number),
        boards: (news) => this.#hear(news),
        ...(alarms ? { alarms } : {}),
      },
      live,
    );
  }

  #hear({ number, count, boards, gone = [], rounds, clocks }) {
    for (const told of boards) this.boards.set(told.board, new Board(told, number));
    for (const name of gone) this.boards.delete(name);
    if (this.number >= 0) {
      this.number = number;
      // What somebody has missed shows in how many boards there are, whatever was missed.
      if (count !== this.boards.size) this.#ask(-1);
    }
    this.#hearRounds(rounds, clocks);
    if (boards.length || gone.length) this.changed([...boards.map(({ board }) => board), ...gone]);
  }

  #hearRounds(rounds, clocks, age = 0) {
    if (clocks) {
      const heard = performance.now() - age;
      this.clocks = Object.fromEntries(Object.entries(clocks).map(([name, clock]) => [name, { ...clock, heard }]));
    }
    if (rounds) this.rounds?.(rounds);
  }

  /** Ask for what was told after an event; for everything before the first. */
  async #ask(since) {
    if (this.asking !== null && this.asking <= since) return;
    this.asking = since;
    try {
      const answer = await fetch(`${this.missed}?since=${Math.max(0, since)}`, { cache: "no-store" });
      if (answer.ok) this.#take(await answer.json(), since < 0);
    } catch {
      // The stream says by itself that nothing comes any more, and asks again when it is there again.
    } finally {
      this.asking = null;
    }
  }

  #take({ number, boards, rounds, clocks }, isAll, age = 0) {
    const before = isAll ? this.boards : new Map();
    if (isAll) this.boards = new Map();
    for (const [name, board] of before) if (board.number > number) this.boards.set(name, board);
    for (const told of boards) {
      if (!((this.boards.get(told.board)?.number ?? -1) > number))
        this.boards.set(told.board, new Board(told, number, age));
    }
    this.number = Math.max(number, isAll ? -1 : this.number);
    this.#hearRounds(rounds, clocks, age);
    this.changed(null);
  }
}
