// Open the sheet of what can be done at the table: mistakes to try, and corrections by hand.

import { hands, send } from "./commands.js";
import { html } from "/static/drawing.js";
import { say } from "/static/words.js";
import { MISTAKES } from "./hands.js";
import { name } from "./words.js";

const byId = (id) => document.getElementById(id);

/** The sheet of the table: mistakes to try, and corrections by hand. */
export class TableSheet {
  constructor(now, { goOn }, choose) {
    this.now = now;
    this.goOn = goOn;
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
    byId("mistakes-part").hidden = !table || (game && game.game !== "tamsk");
    byId("mistakes").querySelectorAll("button").forEach((button) => (button.disabled = !table));
    byId("corrections").replaceChildren(...(none ? [html("p", { class: "sheet-note", text: say("bench.no_game") })] : this.#corrections(game, playing)));
    this.sheet.showModal();
  }

  #button(text, run) {
    return html("button", { type: "button", class: "action quiet", text, onclick: () => { this.sheet.close(); run(); } });
  }

  #corrections(game, playing) {
    const correct = (event) => () => send("game", { correct: event });
    const back = game.plies.length
      ? [
          this.#button(say("bench.take_back"), correct({ event: "turns_voided", count: 1, give_back: true })),
        ]
      : [];
    if (game.game !== "tamsk") return this.#atTable(game, playing, correct);
    const trust = game.quarantined.map((input) => this.#button(say("bench.trust", { input }), correct({ event: "input_trusted", input })));
    const turns = ["red", "black"].filter((player) => player !== game.turn);
    return [
      this.#button(say(game.paused ? "bench.go_on" : "bench.pause"), () => hands("press", { button: "arbiter" })),
      ...(playing ? [this.#button(say("bench.stop"), () => send("let-it-play", { stop: true }))] : [this.#button(say("bench.watch.from_here"), () => send("let-it-play", { level: game.level }))]),
      ...back,
      ...trust,
      ...turns.map((player) => this.#button(say(`bench.give.${player}`), correct({ event: "turn_set", player }))),
      ...["red", "black"].map((player) => this.#button(say("bench.resigns", { player: name(player) }), correct({ event: "result_declared", winner: player === "red" ? "black" : "red", reason: "resigned" }))),
      this.#row(say("bench.set.rings"), ["space", "count", "player"], (fields) => correct({ event: "rings_set", space: fields.space.toUpperCase(), count: Number(fields.count), player: fields.player })()),
      ...(game.level > 1 ? [this.#row(say("bench.set.sand"), ["space", "seconds"], (fields) => correct({ event: "sand_set", space: fields.space === "timer15" ? fields.space : fields.space.toUpperCase(), remaining: fields.seconds })())] : []),
      ...(game.settings.time === "sand" ? [this.#row(say("bench.set.empty"), ["space"], (fields) => correct({ event: "stop_declared", space: fields.space === "timer15" ? fields.space : fields.space.toUpperCase() })())] : []),
    ];
  }

  #atTable(game, playing, correct) {
    const back = (count, text) => this.#button(text, correct({ event: "turns_voided", count, give_back: true }));
    // A throw or a draw is a turn of its own: the player's move is taken back with what came after it.
    const last = game.plies.length - game.plies.findLastIndex(({ player }) => player !== "nature");
    const declared = (winner, reason) => correct({ event: "result_declared", winner, reason });
    const others = (player) => game.players.find((each) => each.player !== player.player && !player.partners.includes(each.player))?.player;
    return [
      this.#button(say(game.paused ? "bench.go_on" : "bench.pause"), () => (game.paused ? this.goOn() : correct({ event: "paused" })())),
      playing
        ? this.#button(say("bench.stop"), () => send("let-it-play", { stop: true }))
        : this.#button(say("bench.watch.from_here"), () => send("let-it-play", { game: game.game })),
      ...(game.plies.length ? [back(1, say(game.plies.at(-1).player === "nature" ? "bench.take_back.chance" : "bench.take_back"))] : []),
      ...(game.plies.at(-1)?.player === "nature" && last <= game.plies.length ? [back(last, say("bench.take_back.move"))] : []),
      ...game.quarantined.map((input) => this.#button(say("bench.trust", { input }), correct({ event: "input_trusted", input }))),
      ...(game.players.length === 2 ? game.players.map((player) => this.#button(say("bench.resigns", { player: player.name }), declared(others(player), "resigns"))) : []),
      this.#button(say("bench.agree"), declared(null, "agreed draw")),
    ];
  }

  #row(title, fields, run) {
    const inputs = fields.map((field) => {
      const input = field === "player"
        ? html("select", { name: field }, html("option", { value: "red", text: name("red") }), html("option", { value: "black", text: name("black") }))
        : html("input", { name: field, inputmode: field === "space" ? "text" : "decimal", maxlength: 7, autocomplete: "off" });
      return html("label", {}, `${say(`bench.field.${field}`)} `, input);
    });
    const values = () => Object.fromEntries(inputs.map((label) => [label.lastChild.name, label.lastChild.value.trim()]));
    return html("div", { class: "row", role: "group", "aria-label": title }, html("b", { text: title }), ...inputs, this.#button(say("bench.set"), () => run(values())));
  }
}
