// Compose the page of a game at a table: its picture, fingers, pad and welcome.

import { hands, send } from "./commands.js";
import { html } from "/static/drawing.js";
import { say } from "/static/words.js";
import { FINGERS } from "./fingers.js";
import { Pad } from "./pad.js";
import { Picture } from "./picture.js";

const byId = (id) => document.getElementById(id);

export class AtTable {
  /** `now()` gives {game, playing, picture, tiles, house}; `changed()` is told when what is picked changes. */
  constructor(now, changed) {
    this.now = now;
    this.changed = changed;
    this.picture = new Picture(byId("picture"), (place) => this.#touched(place));
    this.pad = new Pad((text) => this.enter(text));
    this.fingers = null;
    this.why = ""; // what was touched is no turn
    byId("by-hand").addEventListener("change", (event) => {
      this.fingers.anywhere = event.target.checked;
      this.#let();
    });
    addEventListener("keydown", (event) => {
      if (event.key === "Escape" && !document.querySelector("dialog[open]")) this.#let();
    });
  }

  /** Show the game; what was picked for an earlier position is let go. */
  show() {
    const { game, picture, tiles } = this.now();
    if (this.played !== game.game) {
      this.played = game.game;
      this.fingers = new (FINGERS[game.game] ?? FINGERS.clock)();
      byId("by-hand").checked = false;
      this.shown = null;
    }
    this.fingers.tiles = game.sensed ? tiles : null;
    byId("sensors").hidden = !this.fingers.tiles;
    const where = `${game.turn} ${game.plies.length} ${game.plies.at(-1)?.text}`;
    if (this.where !== where) {
      this.where = where;
      this.why = "";
      this.fingers.clear();
      this.#look("");
    }
    if (picture && this.shown !== picture) {
      this.shown = picture;
      this.picture.show(game.game, picture, this.fingers.more(picture.places));
    }
    if (picture) this.pad.hold(game.tile?.kind ?? "", this.picture);
    this.picture.mark(this.now().playing ? new Map() : this.fingers.marks(game), (place) => this.fingers.describe(place, game));
    this.pad.show(game);
    this.#answer(game);
  }

  /** Let what goes by itself go on, `age` seconds after the news. */
  run(age) {
    this.pad.run(age);
  }

  /** What is picked, in words, and the buttons for it. */
  hint() {
    return this.why || (this.fingers?.hint(this.now().game) ?? "");
  }

  actions() {
    const { game } = this.now();
    return (this.fingers?.actions(game) ?? []).map(({ label, quiet, enter, lay, meant, run }) => ({
      label,
      quiet,
      run: () => {
        if (run) {
          run();
          this.#picked();
        } else if (enter) this.enter(enter);
        else this.#lay(lay, meant);
      },
    }));
  }

  /** What chance owes: a button that lets the companion throw or draw. */
  chance() {
    const { game } = this.now();
    if (!game.is_natures || game.outcome || game.paused) return [];
    return [{ label: say(game.due === "throw" ? "bench.throw" : "bench.draw_tile"), run: () => send("game", { throw: true }) }];
  }

  /** Make a move: it is accepted, or refused in plain words. */
  async enter(text) {
    this.fingers?.clear();
    this.#look("");
    const sent = await send("game", { enter: text });
    this.changed();
    return sent;
  }

  #touched(place) {
    const { game, playing } = this.now();
    if (!game || game.outcome || playing) return;
    const wish = this.fingers.touch(place, game);
    this.why = "";
    if (wish?.ask) this.#ask(wish.ask);
    if (wish?.enter) this.enter(wish.enter);
    else if (wish?.lay) this.#lay(wish.lay);
    else if (wish?.lift) hands("lift tile", { squares: wish.lift });
    this.#picked();
  }

  /** Say why what was touched is no turn. */
  async #ask(text) {
    const answer = await fetch(`ahead?move=${encodeURIComponent(text)}`).catch(() => null);
    this.why = answer?.ok ? ((await answer.json()).why ?? "") : "";
    this.changed();
  }

  #let() {
    this.fingers?.clear();
    this.why = "";
    this.#picked();
  }

  #picked() {
    const { game } = this.now();
    if (game && this.fingers) this.#look(this.fingers.ahead(game));
    this.changed();
  }

  /** Lay a tile where a hand would; `meant` answers if the referee has to ask which way round. */
  #lay(squares, meant = "") {
    this.meant = meant;
    this.fingers.clear();
    this.#look("");
    return hands("lay tile", { squares });
  }

  #answer(game) {
    if (game.phase !== "asking" || !game.choices.includes(this.meant)) return;
    const text = this.meant;
    this.meant = "";
    send("game", { enter: text });
  }

  async #look(text) {
    const { game } = this.now();
    this.looked = text;
    if (!text || !game.moves.includes(text)) {
      this.picture.preview(null);
      return;
    }
    const answer = await fetch(`ahead?move=${encodeURIComponent(text)}`).catch(() => null);
    if (this.looked !== text || !answer?.ok) return;
    this.picture.preview((await answer.json()).picture ?? null);
  }
}

/** The games that can be begun here, to look at and to choose; for a board that shows nothing by itself. */
export function showWelcome(house, open) {
  const box = byId("welcome");
  if (box.childElementCount) return;
  box.append(
    ...house.games.map((game) => {
      const face = html("button", { type: "button", class: "welcome-card", onclick: () => open(game) });
      face.append(html("img", { alt: "", src: `/board/looks/${game}.svg`, width: 100, height: 90 }), html("b", { text: say(`game.${game}`) }), html("span", { text: say(`players.about.${game}`) }));
      return face;
    }),
  );
}
