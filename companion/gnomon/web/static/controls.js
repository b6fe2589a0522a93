// Run the controls of the bench: hands at a board in software, hands that play by themselves, and turns by touch.

import { byId, find, findAll, html, put } from "./dom.js";
import { FINGERS } from "./fingers.js";
import { Hands, MISTAKES } from "./hands.js";
import { Pad } from "./pad.js";
import { post } from "./post.js";
import { listen } from "./stream.js";
import { draw } from "./tamsk.js";
import { say } from "./words.js";

const API = "/api/v1/";
const PLAYERS = ["red", "black"];
const HELD = 700; // ms after which a press of a button is one that is held

export class Controls {
  /** What stands on the simulated table with glasses, as it was told last. @type {any} */
  table = null;
  /** The squares on which tiles lie. @type {string[] | null} */
  tiles = null;
  /** @type {string[] | null} */
  lamps = null;
  game = /** @type {any} */ (null);
  /** @type {import("./board_view.js").BoardView | null} */
  view = null;
  /** How the game at the table is played with a finger. @type {any} */
  fingers = null;
  played = "";
  where = "";
  why = ""; // what was touched is no turn
  looked = "";
  held = ""; // the turns that begin with what is picked
  meant = ""; // what a tile that is being laid is to be, if the referee has to ask which way round
  /** Hands are one after the other: a glass must be lifted before it is put down. @type {Promise<boolean>} */
  last = Promise.resolve(true);

  /** `complain(sentence)` shows a refusal. */
  constructor(box, complain) {
    this.complain = complain;
    this.buttons = (box.dataset.buttons ?? "").split(" ");
    this.own = box.dataset.own ?? "";
    this.pad = new Pad(
      (text) => this.enter(text),
      (code) => this.send("simulation/reads", { code }),
    );
  }

  /** Take the view whose board is touched, and listen to what is on it. */
  async start(view) {
    this.view = view;
    await Promise.all(findAll(document, ".holder svg", SVGSVGElement).map(draw));
    this.hand = new Hands(
      view.board,
      byId("hand"),
      () => this,
      (verb, rest) => this.hands(verb, rest),
    );
    this.#wire();
    listen(
      `${API}simulation/stream`,
      {
        table: (table) => this.#seen(table),
        tiles: (tiles) => {
          this.tiles = tiles;
          this.#refresh();
        },
        lights: (colours) => {
          this.lamps = colours;
          view.board.light(colours);
        },
        display: showDisplay,
      },
      () => {
        // Whether the page is live, the stream of the board says.
      },
    );
  }

  /** Whether hands are playing by themselves. */
  get playing() {
    return Boolean(this.game?.demonstration);
  }

  #wire() {
    for (const button of findAll(document, ".press")) {
      let down = Infinity;
      button.addEventListener("pointerdown", () => (down = performance.now()));
      button.addEventListener("click", () => {
        const verb = performance.now() - down > HELD ? "hold" : "press";
        down = Infinity; // the keyboard's click comes without a pointer
        this.hands(verb, { button: button.dataset.button });
      });
    }
    byId("timer-glass").addEventListener("click", () => this.hands("turn timer15"));
    byId("by-touch", HTMLInputElement).addEventListener("change", (event) => {
      this.fingers.anywhere = /** @type {HTMLInputElement} */ (event.target).checked;
      this.#let();
    });
    addEventListener("keydown", (event) => {
      if (event.key === "Escape" && !document.querySelector("dialog[open]")) this.#let();
    });
    byId("open-table").addEventListener("click", () => this.#open());
    byId("mistakes").append(
      ...Object.entries(MISTAKES).map(([verb, text]) => this.#item(text, () => this.hand?.choose(verb))),
    );
  }

  // What is sent

  /** Send a command to the API; answer whether it was done. A refusal is shown. */
  async send(address, body = {}) {
    const { status, ok, ...said } = await post(`${API}${address}?language=${document.documentElement.lang}`, body);
    if (ok && said.table) this.#seen(said.table);
    if (ok) return true;
    this.complain(status ? (said.error ?? say("bench.no_reason", { status })) : say("players.not_sent"));
    return false;
  }

  /** Do something by hand at the table, after what was done before it. */
  hands(verb, rest = {}) {
    this.last = this.last.then(() => this.send("simulation/hands", { verb, ...rest }));
    return this.last;
  }

  /** Make a move: it is accepted, or refused in plain words. */
  async enter(text) {
    this.fingers?.clear();
    this.#look("");
    const sent = await this.send("board/turns", { text });
    this.#refresh();
    return sent;
  }

  #correct(event, fields = {}) {
    return this.send("board/corrections", { event, ...fields });
  }

  #goOn() {
    if (this.playing) return this.send("simulation/resume");
    return this.buttons.includes("button.arbiter")
      ? this.hands("press", { button: "arbiter" })
      : this.#correct("resumed");
  }

  #play(game) {
    const name = game?.game ?? this.own;
    return this.send("simulation/play", { game: name, ...(game?.level ? { level: game.level } : {}) });
  }

  #stop() {
    return this.send("simulation/stop");
  }

  // What is shown

  #seen(table) {
    if (table && this.table && table.version < this.table.version) return;
    this.table = table;
    this.#refresh();
  }

  #refresh() {
    this.view?.refresh();
  }

  /** Show what is told of the board; the view has shown it already. */
  show(game) {
    this.game = game;
    const isTable = Boolean(game?.traits.touch);
    byId("pad").hidden = !isTable;
    byId("keys").hidden = !["button.enter", "button.left"].some((button) => this.buttons.includes(button));
    for (const button of findAll(document, ".press", HTMLButtonElement)) {
      const input = `button.${button.dataset.button}`;
      button.hidden = !this.buttons.includes(input);
      button.classList.toggle("down", Boolean(this.table?.pressed.includes(input)));
    }
    put(byId("arbiter-what"), say(game?.paused ? "bench.arbiter.goes_on" : "bench.arbiter.pauses"));
    byId("timer-glass").setAttribute(
      "aria-label",
      say(game?.timer15?.running ? "bench.timer.runs" : "bench.timer.empty"),
    );
    if (isTable) this.#atTable(game);
    else if (!game || game.glasses) {
      for (const player of PLAYERS) this.#holder(player, this.table?.holders[player] ?? game?.rings_left?.[player]);
      this.hand?.show();
    }
  }

  #holder(player, left) {
    const holder = byId(`holder-${player}`);
    holder.hidden = left === undefined;
    if (holder.dataset.left === String(left)) return;
    holder.dataset.left = left;
    holder.setAttribute("aria-label", say(`bench.holder.${player}`, { left }));
    put(byId(`rings-left-${player}`), String(left));
    for (const ring of findAll(holder, "[data-ring]", SVGElement))
      ring.toggleAttribute("hidden", Number(ring.dataset.ring) >= left);
  }

  #atTable(game) {
    if (this.played !== game.game) {
      this.played = game.game;
      this.fingers = new FINGERS[game.traits.touch]();
      byId("by-touch", HTMLInputElement).checked = false;
    }
    this.fingers.tiles = game.sensed ? this.tiles : null;
    byId("sensors").hidden = !this.fingers.tiles;
    const where = `${game.turn} ${game.plies.length} ${game.plies.at(-1)?.text}`;
    if (this.where !== where) {
      this.where = where;
      this.why = "";
      this.fingers.clear();
      this.#look("");
    }
    const { fingers } = this;
    const picture = this.view?.picture;
    picture?.mark(game.game, this.playing ? new Map() : fingers.marks(game), (place) => fingers.describe(place, game));
    this.pad.show(game);
    this.pad.hold(game.tile?.kind ?? "", picture);
    this.#answer(game);
  }

  /** Places that the page adds to those of a picture. */
  more(places) {
    return { ...(this.game && this.fingers ? this.fingers.more(places) : {}), ...places };
  }

  /** What the banner says besides, and what can be done at once. */
  amend(said, game) {
    if (!game) return { ...said, hint: say("bench.empty.hint"), offers: ["new", "watch"] };
    if (game.outcome) return said;
    const repair = (this.table || this.tiles) && game.repairs?.length ? ["repair"] : [];
    if (game.paused) return { ...said, offers: [...repair, "resume", ...(said.offers ?? [])] };
    if (game.phase === "wrong") return { ...said, offers: repair };
    if (game.phase === "asking") return said;
    // Hands can make all turns of a game that nobody has begun, or that engines alone play.
    const watch = (game.opponent ? game.opponent.exhibition : !game.plies.length) ? ["watch"] : [];
    // Nobody chooses a turn for the engine.
    if (game.opponent?.on_turn && !this.playing) return { ...said, offers: [...(said.offers ?? []), ...watch] };
    // In an exhibition the banner has said already that the program plays.
    if (this.playing)
      return { ...said, ...(game.opponent ? {} : { hint: say("bench.playing") }), offers: ["rest", "stop"] };
    if (game.glasses) {
      const drop = game.phase === "may go on" && this.table ? ["ring", "done"] : [];
      return { ...said, offers: [...repair, ...drop, ...watch] };
    }
    if (!this.fingers) return said;
    const hint = this.why || this.fingers.hint(game);
    return {
      ...said,
      ...(hint ? { tone: "", hint } : {}),
      offers: [...(game.is_natures ? said.offers : []), "picked", ...watch],
    };
  }

  /** Buttons of the banner by their words. @type {Record<string, (game: any) => any[]>} */
  offers = {
    watch: (game) => [{ label: say("bench.watch"), quiet: Boolean(game), run: () => this.#play(game) }],
    rest: () => [{ label: say("bench.pause"), run: () => this.send("simulation/pause") }],
    stop: () => [{ label: say("bench.stop"), quiet: true, run: () => this.#stop() }],
    ring: (game) => [
      {
        label: say("bench.drop", { space: game.target }),
        run: () => this.hands("drop ring", { space: game.target, player: game.turn }),
      },
    ],
    done: (game) => [
      { label: say("bench.end_turn"), quiet: true, run: () => this.hands("press", { button: game.turn }) },
    ],
    resume: () => [{ label: say("bench.go_on"), run: () => this.#goOn() }],
    repair: () => [{ label: say("bench.repair"), quiet: true, run: () => this.hands("repair") }],
    picked: (game) => this.#actions(game),
  };

  #actions(game) {
    return this.fingers.actions(game).map(({ label, quiet, enter, lay, meant, run }) => ({
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

  // Turns by touch

  /** A place of the picture was touched. */
  touched(place) {
    const { game } = this;
    if (!game || game.outcome || this.playing || !this.fingers) return;
    const wish = this.fingers.touch(place, game);
    this.why = "";
    if (wish?.ask) this.#ask(wish.ask);
    if (wish?.enter) this.enter(wish.enter);
    else if (wish?.lay) this.#lay(wish.lay);
    else if (wish?.lift) this.hands("lift tile", { squares: wish.lift });
    this.#picked();
  }

  /** Say why what was touched is no turn. */
  async #ask(text) {
    this.why = (await preview(text))?.why ?? "";
    this.#refresh();
  }

  #let() {
    this.fingers?.clear();
    this.why = "";
    this.#picked();
  }

  #picked() {
    if (this.game && this.fingers) {
      this.#look(this.fingers.ahead(this.game));
      this.#judgeHand();
    }
    this.#refresh();
  }

  /** Lay a tile where a hand would; `meant` answers if the referee has to ask which way round. */
  #lay(squares, meant = "") {
    this.meant = meant;
    this.fingers.clear();
    this.#look("");
    return this.hands("lay tile", { squares });
  }

  #answer(game) {
    if (game.phase !== "asking" || !game.choices.includes(this.meant)) return;
    const choice = this.meant;
    this.meant = "";
    this.send("board/answers", { choice });
  }

  async #look(text) {
    const picture = this.view?.picture;
    this.looked = text;
    if (!text || !this.game?.moves.includes(text)) {
      picture?.preview(null);
      return;
    }
    const told = await preview(text);
    if (this.looked !== text) return;
    if (told) picture?.preview(told.picture);
    if (this.game?.talk?.warns) await this.#doubt(text);
  }

  /** Say why a turn that is picked is a blunder, where the game warns and its verdict is there in time. */
  async #doubt(text) {
    const told = await post("/board/doubt", { text });
    if (this.looked !== text || !told.warning) return;
    this.why = told.warning;
    this.#refresh();
  }

  /** Say whether a good turn begins as one was begun, where the game does and knows it in time. */
  async #judgeHand() {
    const texts = this.game?.talk?.help === "hand" ? this.fingers.begun(this.game).join(" ") : "";
    this.held = texts;
    if (!texts) return;
    const told = await post("/board/hand", { texts });
    if (this.held !== texts || !told.held) return;
    this.why = told.held;
    this.#refresh();
  }

  // The menu: mistakes to try, and corrections by hand

  #open() {
    const { game, table } = this;
    const none = !game || Boolean(game.outcome);
    byId("mistakes-part").hidden = !table || (game && !game.glasses);
    const corrections = none
      ? [html("p", { class: "sheet-note", text: say("bench.no_game") })]
      : this.#corrections(game);
    byId("corrections").replaceChildren(...corrections);
    byId("table-sheet", HTMLDialogElement).showModal();
  }

  #item(text, run) {
    const act = () => {
      byId("table-sheet", HTMLDialogElement).close();
      run();
    };
    return html("button", { type: "button", class: "action quiet", text, onclick: act });
  }

  #corrections(game) {
    const correct = (event, fields) => () => this.#correct(event, fields);
    const rest = this.playing ? () => this.send("simulation/pause") : correct("paused");
    const pause = game.paused ? () => this.#goOn() : rest;
    const play = this.playing ? () => this.#stop() : () => this.#play(game);
    return [
      this.#item(say(game.paused ? "bench.go_on" : "bench.pause"), pause),
      this.#item(say(this.playing ? "bench.stop" : "bench.watch.from_here"), play),
      ...(this.buttons.includes("button.arbiter")
        ? [this.#item(say("bench.hold"), () => this.hands("hold", { button: "arbiter" }))]
        : []),
      ...this.#backwards(game),
      ...game.quarantined.map((input) =>
        this.#item(say("bench.trust", { input }), correct("input_trusted", { input })),
      ),
      ...(game.glasses ? this.#ofGlasses(game, correct) : this.#ofTable(game, correct)),
    ];
  }

  /** A throw or a draw is a turn of its own: the player's move is taken back with what came after it. */
  #backwards({ plies }) {
    const back = (count, text) => this.#item(text, () => this.#correct("turns_voided", { count, give_back: true }));
    const byChance = plies.at(-1)?.player === "nature";
    const last = plies.length - plies.findLastIndex(({ player }) => player !== "nature");
    return [
      ...(plies.length ? [back(1, say(byChance ? "bench.take_back.chance" : "bench.take_back"))] : []),
      ...(byChance && last <= plies.length ? [back(last, say("bench.take_back.move"))] : []),
    ];
  }

  #ofTable(game, correct) {
    const others = (player) =>
      game.players.find((each) => each.player !== player.player && !player.partners.includes(each.player))?.player;
    const resigns = (player) => correct("result_declared", { winner: others(player), reason: "resigned" });
    return [
      ...(game.players.length === 2
        ? game.players.map((player) => this.#item(say("bench.resigns", { player: player.name }), resigns(player)))
        : []),
      this.#item(say("bench.agree"), correct("result_declared", { winner: null, reason: "agreed draw" })),
    ];
  }

  #ofGlasses(game, correct) {
    const space = (text) => (text === "timer15" ? text : text.toUpperCase());
    const turns = PLAYERS.filter((player) => player !== game.turn);
    const resigns = (player) =>
      correct("result_declared", { winner: PLAYERS.find((each) => each !== player), reason: "resigned" });
    const rings = (set) => this.#correct("rings_set", { ...set, space: space(set.space), count: Number(set.count) });
    const sand = (set) => this.#correct("sand_set", { space: space(set.space), remaining: Number(set.seconds) });
    const empty = (set) => this.#correct("stop_declared", { space: space(set.space) });
    return [
      ...turns.map((player) => this.#item(say(`bench.give.${player}`), correct("turn_set", { player }))),
      ...PLAYERS.map((player) =>
        this.#item(say("bench.resigns", { player: say(`player.${player}`) }), resigns(player)),
      ),
      this.#row(say("bench.set.rings"), ["space", "count", "player"], rings),
      ...(game.level > 1 ? [this.#row(say("bench.set.sand"), ["space", "seconds"], sand)] : []),
      ...(game.settings.time === "sand" ? [this.#row(say("bench.set.empty"), ["space"], empty)] : []),
    ];
  }

  #row(title, fields, run) {
    const option = (player) => html("option", { value: player, text: say(`player.${player}`) });
    const input = (field) =>
      field === "player"
        ? html("select", { name: field }, ...PLAYERS.map(option))
        : html("input", {
            name: field,
            inputmode: field === "space" ? "text" : "decimal",
            maxlength: 7,
            autocomplete: "off",
          });
    const inputs = fields.map((field) => [field, input(field)]);
    const labels = inputs.map(([field, element]) => html("label", {}, `${say(`bench.field.${field}`)} `, element));
    const values = () => Object.fromEntries(inputs.map(([field, element]) => [field, element.value.trim()]));
    return html(
      "div",
      { class: "row", role: "group", "aria-label": title },
      html("b", { text: title }),
      ...labels,
      this.#item(say("bench.set"), () => run(values())),
    );
  }
}

/** How the board would look after a turn, or why it is none; null without an answer. */
async function preview(text) {
  const query = new URLSearchParams({ text, language: document.documentElement.lang });
  const answer = await fetch(`${API}board/preview?${query}`).catch(() => null);
  return answer?.ok ? answer.json() : null;
}

/** Show the real pixels of the board's display: 1 bit each, eight to a byte, row by row. */
function showDisplay(packed) {
  const canvas = find(document, "#display", HTMLCanvasElement);
  const context = canvas.getContext("2d");
  if (!context) return;
  const image = context.createImageData(canvas.width, canvas.height);
  const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
  for (let pixel = 0; pixel < canvas.width * canvas.height; pixel += 1) {
    const lit = (bytes[pixel >> 3] >> (7 - (pixel & 7))) & 1;
    image.data.set(lit ? [190, 230, 255, 255] : [4, 7, 10, 255], pixel * 4);
  }
  context.putImageData(image, 0, 0);
}
