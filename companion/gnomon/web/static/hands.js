// Turn pointer and keys into hands at the table: lift, carry, turn, put down, drop.

import { findAll, hit, html } from "./dom.js";
import { say } from "./words.js";

const SLOP = 8; // px a pointer may wander before a press becomes a drag

export const MISTAKES = {
  "knock over": say("bench.mistake.knock"),
  nudge: say("bench.mistake.nudge"),
  "take ring": say("bench.mistake.take"),
};

export class Hands {
  /** @type {any} */
  drag = null;
  said = "";

  /** `now()` gives {game, table}; `hands(verb, rest)` does something; `bar` shows what is in the hand. */
  constructor(board, bar, now, hands) {
    this.hands = hands;
    this.board = board;
    this.bar = bar;
    this.now = now;
    this.ring = ""; // whose ring is in the hand
    this.tool = ""; // a mistake about to be made
    this.turnsForMe = true;
    this.#listen();
  }

  get held() {
    return this.now().table?.in_hand.at(-1) ?? -1;
  }

  /** Take a ring out of a holder, or put it back. */
  takeRing(player) {
    this.tool = "";
    this.ring = this.ring === player ? "" : player;
    this.show();
  }

  /** Choose a mistake; the next space is where it happens. */
  choose(tool) {
    this.ring = "";
    this.tool = tool;
    this.show();
  }

  /** What a tap or the Enter key on a space does. */
  touch(space) {
    const { table } = this.now();
    if (!table) return;
    if (this.tool) {
      const verb = this.tool;
      this.tool = "";
      this.hands(verb, { space });
    } else if (this.ring) {
      this.hands("drop ring", { space, player: this.ring });
      this.ring = "";
    } else if (this.held >= 0) this.#put(space);
    else if (this.board.glassOn(space) >= 0) this.hands("lift", { space });
    else if (table.beside.length) this.hands("set up", { space });
    this.show();
  }

  /** Turn the glass in the hand over. */
  turn() {
    if (this.held >= 0) this.hands("turn in hand");
  }

  /** Put the glass in the hand back where it came from; let a ring or a mistake go. */
  letGo() {
    const glass = this.board.glasses[this.held];
    if (this.ring || this.tool) {
      this.ring = "";
      this.tool = "";
    } else if (glass) this.hands("place", { space: glass.home, turned: glass.over });
    this.show();
  }

  #put(space) {
    const { game } = this.now();
    const glass = this.board.glasses[this.held];
    const leaves = space !== glass?.home;
    // Rule 10: a moved glass is turned over. Put back where it stood, it must stand as it stood.
    const turned = this.turnsForMe && (game?.level ?? 1) > 1 && glass !== undefined && glass.over !== leaves;
    return this.hands("place", { space, turned });
  }

  /** Say what is in the hand, and mark where it can go. */
  show() {
    const { game, table, playing } = this.now();
    const glass = playing ? undefined : this.board.glasses[this.held]; // hands that play by themselves need no help
    const inHand = Boolean(table && glass);
    this.board.mark(inHand ? this.#reach(glass, game) : new Set(), this.drag?.aim);
    for (const holder of findAll(document, ".holder")) {
      holder.classList.toggle("taken", holder.dataset.holder === this.ring);
    }
    const key = inHand
      ? `${this.held}${glass.over}${this.turnsForMe}`
      : `${this.ring}${this.tool}${table?.beside.length ?? 0}${Boolean(game?.outcome)}`;
    if (this.said === key) return;
    this.said = key;
    this.bar.replaceChildren(...this.#words(game, table, inHand ? glass : null));
    this.bar.hidden = this.bar.childElementCount === 0;
  }

  #reach(glass, game) {
    const free = (space) => this.board.glassOn(space) < 0 && !this.board.isFull(space);
    return new Set(game?.phase === "wrong" ? [] : this.board.around(glass.home).filter(free));
  }

  #words(game, table, glass) {
    const text = (words, more = "") => html("span", { class: `hand-text ${more}`, text: words });
    const back = () => html("button", { type: "button", text: say("bench.put_back"), onclick: () => this.letGo() });
    if (glass) {
      const turning = (game?.level ?? 1) > 1;
      const turn = html("button", {
        type: "button",
        text: say("bench.turn_over"),
        "aria-pressed": glass.over,
        onclick: () => this.turn(),
      });
      return [
        text(say("bench.in_hand", { player: say(`player.${glass.player}`) }), "in-banner"),
        ...(turning ? [turn, this.#helper()] : []),
        back(),
      ];
    }
    if (this.ring) return [text(say(`bench.ring_in_hand.${this.ring}`)), back()];
    if (this.tool) return [text(say("bench.choose_space", { what: MISTAKES[this.tool] })), back()];
    if (table?.beside.length && !game?.outcome) return [text(say("bench.beside"))];
    return [];
  }

  #helper() {
    return html("button", {
      type: "button",
      text: say("bench.auto_turn"),
      title: say("bench.auto_turn.what"),
      "aria-label": say("bench.auto_turn.what"),
      "aria-pressed": this.turnsForMe,
      onclick: () => {
        this.turnsForMe = !this.turnsForMe;
        this.show();
      },
    });
  }

  #listen() {
    const { drawing } = this.board;
    drawing.addEventListener("pointerdown", (event) =>
      this.#down(event, hit(event, "[data-space]", SVGElement)?.dataset.space),
    );
    for (const holder of findAll(document, ".holder")) {
      holder.addEventListener("pointerdown", (event) => this.#down(event, "", holder.dataset.holder));
      // The tap has been taken: what moves under the finger meanwhile is not clicked.
      holder.addEventListener("touchend", (event) => event.preventDefault());
      holder.addEventListener("click", (event) => {
        if (event.detail === 0) this.takeRing(holder.dataset.holder); // from the keyboard
      });
    }
    addEventListener("pointermove", (event) => this.#move(event));
    addEventListener("pointerup", (event) => this.#up(event));
    addEventListener("pointercancel", (event) => this.#cancel(event));
    this.board.onKeys(
      (space) => this.touch(space),
      (key) => this.#key(key),
    );
    addEventListener("keydown", (event) => {
      if (event.key === "Escape" && !document.querySelector("dialog[open]")) this.letGo();
    });
  }

  #down(event, space, holder = "") {
    if (this.drag || event.button > 0 || !event.isPrimary || !(space || holder) || !this.now().table) return;
    this.drag = {
      id: event.pointerId,
      from: { x: event.clientX, y: event.clientY },
      space,
      holder,
      moving: false,
      aim: "",
    };
    event.target.releasePointerCapture?.(event.pointerId); // touch is captured by itself; the space below counts
  }

  #move(event) {
    const drag = this.drag;
    if (drag?.id !== event.pointerId) return;
    const pointer = { x: event.clientX, y: event.clientY };
    if (!drag.moving) {
      if (Math.hypot(pointer.x - drag.from.x, pointer.y - drag.from.y) < SLOP) return;
      drag.moving = true;
      this.#begin(drag);
    }
    if (drag.glass >= 0) this.board.carry(drag.glass, pointer);
    if (drag.ring) this.board.carryRing(pointer);
    const aim = this.board.at(pointer);
    if (aim !== drag.aim) {
      drag.aim = aim;
      this.show();
    }
  }

  #begin(drag) {
    if (drag.holder) {
      this.ring = "";
      drag.ring = drag.holder;
    } else if (!this.tool && !this.ring) {
      drag.glass = this.held >= 0 ? this.held : this.board.glassOn(drag.space);
      drag.home = drag.space;
      if (drag.glass >= 0 && this.held < 0) drag.lifted = this.hands("lift", { space: drag.space });
    }
  }

  async #up(event) {
    const drag = this.drag;
    if (drag?.id !== event.pointerId) return;
    const pointer = { x: event.clientX, y: event.clientY };
    const space = this.board.at(pointer);
    this.drag = null;
    this.board.carryRing(null);
    if (!drag.moving) this.#tap(drag);
    else if (drag.ring) {
      if (space) this.hands("drop ring", { space, player: drag.ring });
    } else if (drag.glass >= 0 && (await (drag.lifted ?? true))) {
      if (space) this.#put(space);
      else this.letGo();
    }
    this.show();
  }

  #tap({ space, holder }) {
    if (holder) {
      this.takeRing(holder);
      return;
    }
    this.board.focus(space, false);
    this.touch(space);
  }

  #cancel(event) {
    const drag = this.drag;
    if (drag?.id !== event.pointerId) return;
    this.drag = null;
    this.board.carryRing(null);
    if (drag.glass >= 0) this.letGo();
    this.show();
  }

  /** Whether a key means something on a space beside what it means on every board. */
  #key(key) {
    if (key !== "t" && key !== "T") return false;
    this.turn();
    return true;
  }
}
