// The only module that opens the two sheets: a new game, and what can be done at the table.

import { hands, send } from "./commands.js";
import { html } from "./drawing.js";
import { MISTAKES } from "./hands.js";
import { name } from "./words.js";

const byId = (id) => document.getElementById(id);

/** The sheet of a new game; it plays, or lets the board play by itself. */
export class GameSheet {
  constructor(now) {
    this.now = now;
    this.sheet = byId("game-sheet");
    byId("open-game").addEventListener("click", () => this.open());
    this.sheet.addEventListener("close", () => this.#closed());
  }

  open() {
    const { game } = this.now();
    byId("game-note").hidden = !game || Boolean(game.outcome);
    this.sheet.returnValue = "cancel";
    this.sheet.showModal();
  }

  async #closed() {
    const wanted = this.sheet.returnValue;
    if (wanted !== "play" && wanted !== "watch") return;
    const { temperament, level, stall, ...words } = Object.fromEntries(new FormData(byId("game-form")));
    const settings = { level: Number(level), ...words, stall: Number(stall) };
    const { game } = this.now();
    const abandon = Boolean(game) && !game.outcome;
    const started = await send("game", { new: { settings, temperament, abandon } });
    if (started && wanted === "watch") await send("let-it-play", { level: settings.level });
  }
}

/** The sheet of the table: mistakes to try, and corrections by hand. */
export class TableSheet {
  constructor(now, choose) {
    this.now = now;
    this.sheet = byId("table-sheet");
    byId("open-table").addEventListener("click", () => this.open());
    byId("mistakes").append(
      ...Object.entries(MISTAKES).map(([verb, text]) =>
        this.#button(text, () => choose(verb)),
      ),
    );
  }

  open() {
    const { game, table, playing } = this.now();
    const none = !game || Boolean(game.outcome);
    byId("mistakes").querySelectorAll("button").forEach((button) => (button.disabled = !table));
    byId("corrections").replaceChildren(...(none ? [html("p", { class: "sheet-note", text: "There is no game in progress." })] : this.#corrections(game, playing)));
    this.sheet.showModal();
  }

  #button(text, run) {
    return html("button", { type: "button", class: "action quiet", text, onclick: () => { this.sheet.close(); run(); } });
  }

  #corrections(game, playing) {
    const correct = (event) => () => send("game", { correct: event });
    const back = game.plies.length
      ? [
          this.#button("Take the last turn back", correct({ event: "turns_voided", count: 1, give_back: true })),
        ]
      : [];
    const trust = game.quarantined.map((input) => this.#button(`Trust ${input} again`, correct({ event: "input_trusted", input })));
    const turns = ["red", "black"].filter((player) => player !== game.turn);
    return [
      this.#button(game.paused ? "Go on" : "Pause", () => hands("press", { button: "arbiter" })),
      ...(playing ? [this.#button("Stop the hands", () => send("let-it-play", { stop: true }))] : [this.#button("Let it play from here", () => send("let-it-play", { level: game.level }))]),
      ...back,
      ...trust,
      ...turns.map((player) => this.#button(`Give the turn to ${player}`, correct({ event: "turn_set", player }))),
      ...["red", "black"].map((player) => this.#button(`${name(player)} resigns`, correct({ event: "result_declared", winner: player === "red" ? "black" : "red", reason: "resigned" }))),
      this.#row("Rings on a space", ["space", "count", "player"], (fields) => correct({ event: "rings_set", space: fields.space.toUpperCase(), count: Number(fields.count), player: fields.player })()),
      ...(game.level > 1 ? [this.#row("Sand of a glass, seconds", ["space", "seconds"], (fields) => correct({ event: "sand_set", space: fields.space === "timer15" ? fields.space : fields.space.toUpperCase(), remaining: fields.seconds })())] : []),
    ];
  }

  #row(title, fields, run) {
    const inputs = fields.map((field) => {
      const input = field === "player"
        ? html("select", { name: field }, html("option", { value: "red", text: "Red" }), html("option", { value: "black", text: "Black" }))
        : html("input", { name: field, inputmode: field === "space" ? "text" : "decimal", maxlength: 7, autocomplete: "off" });
      return html("label", {}, `${name(field)} `, input);
    });
    const values = () => Object.fromEntries(inputs.map((label) => [label.lastChild.name, label.lastChild.value.trim()]));
    return html("div", { class: "row", role: "group", "aria-label": title }, html("b", { text: title }), ...inputs, this.#button("Set", () => run(values())));
  }
}
