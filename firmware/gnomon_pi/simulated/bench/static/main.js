// The composition of the page: news in, drawing out, hands and buttons wired.

import { listen } from "/static/stream.js";
import { Board } from "/static/tamsk.js";
import { say } from "/static/words.js";
import { attend, hands, send } from "./commands.js";
import { Hands } from "./hands.js";
import { Banner, Record, Timer, runClocks, showDisplay, showNotices, showStations } from "./panels.js";
import { TableSheet } from "./sheets.js";
import { AtTable, showWelcome } from "./table.js";
import { tableBanner } from "./table_words.js";
import { banner as tamskBanner, spaceInWords } from "./words.js";

const NEW_GAME = "/board/new?at=bench"; // the form of every page; it leads back here
const WATCHED_LEVEL = 2; // of TAMSK, for who has chosen none: sand runs, and nothing hurries

const byId = (id) => document.getElementById(id);
const now = {
  game: null, health: [], table: null, tiles: null, picture: null, playing: false, known: false, live: true, heard: 0, lamps: [],
  house: { games: ["tamsk"], buttons: [] },
};

const board = new Board(byId("board"), spaceInWords);
const timer = new Timer();
const record = new Record();
const tamskHands = new Hands(board, byId("hand"), () => now);
new TableSheet(() => now, { goOn }, (mistake) => tamskHands.choose(mistake));
const atBoard = new AtTable(() => now, () => show());
const banner = new Banner({
  new: () => [{ label: say("bench.new"), run: () => location.assign(NEW_GAME) }],
  watch: (game) => [{ label: say("bench.watch"), quiet: Boolean(game) && !game.outcome, run: () => watch(game) }],
  replay: (game) => (game.replay ? [{ label: say("players.replay"), quiet: true, run: () => location.assign(`/games/${game.replay}`) }] : []),
  stop: () => [{ label: say("bench.stop"), quiet: true, run: () => send("let-it-play", { stop: true }) }],
  ring: (game) => (now.table ? [{ label: say("bench.drop", { space: game.target }), run: () => hands("drop ring", { space: game.target, player: game.turn }) }] : []),
  done: (game) => (now.table ? [{ label: say("bench.end_turn"), quiet: true, run: () => hands("press", { button: game.turn }) }] : []),
  resume: () => [{ label: say("bench.go_on"), run: () => goOn() }],
  answers: (game) => game.choices.map((choice) => ({ label: choice, run: () => atBoard.enter(choice) })),
  chance: () => atBoard.chance(),
  picked: () => atBoard.actions(),
  repair: () => (now.table || now.tiles ? [{ label: say("bench.repair"), quiet: true, run: () => hands("repair") }] : []),
  choices: (game) => game.choices.map((choice) => ({ label: choice, run: () => send("game", { correct: { event: "question_answered", choice } }) })),
});

function watch(game) {
  const name = game?.game ?? now.house.games[0];
  send("let-it-play", name === "tamsk" ? { level: game?.level ?? WATCHED_LEVEL } : { game: name });
}

/** Whether what is shown is a game at a table, and not TAMSK. */
function isTable() {
  return now.game ? now.game.game !== "tamsk" : now.house.games[0] !== "tamsk";
}

function goOn() {
  const arbiter = now.house.buttons.includes("button.arbiter");
  return arbiter ? hands("press", { button: "arbiter" }) : send("game", { correct: { event: "resumed" } });
}

function news({ game, playing }) {
  now.game = game.game === null ? null : game;
  now.health = game.health ?? [];
  now.playing = playing;
  now.known = true;
  now.heard = performance.now();
  show();
}

function seen(table) {
  if (table && now.table && table.version < now.table.version) return;
  now.table = table;
  show();
}

function show() {
  if (!now.known) return;
  const { game, table, house } = now;
  const atTable = isTable();
  document.body.classList.toggle("live-hands", Boolean(table) && !atTable);
  document.body.classList.toggle("at-table", atTable);
  document.body.dataset.game = game?.game ?? "";
  const title = say(`game.${game?.game ?? house.games[0]}`);
  byId("what").textContent = game || house.games.length === 1 ? title : say("bench.what");
  byId("board").toggleAttribute("hidden", atTable);
  byId("picture").hidden = !atTable || !game;
  byId("pad").hidden = !atTable || !game;
  byId("keys").hidden = !atTable || !["button.enter", "button.left"].some((name) => house.buttons.includes(name));
  byId("welcome").hidden = !atTable || Boolean(game);
  if (atTable && game) atBoard.show();
  else if (atTable) showWelcome(house, (name) => location.assign(`${NEW_GAME}&game=${name}`));
  else {
    board.show(game, table);
    board.light(now.lamps);
    timer.show(game, table);
    showStations(game, table);
    tamskHands.show();
  }
  record.show(game);
  liveness();
  byId("arbiter-what").textContent = say(game?.paused ? "bench.arbiter.goes_on" : "bench.arbiter.pauses");
  byId("press-not-turned").hidden = !house.buttons.includes("button.not_turned");
  for (const button of document.querySelectorAll(".press")) {
    const isThere = house.buttons.includes(`button.${button.dataset.button}`);
    button.disabled = !isThere;
    if (button.classList.contains("key")) button.hidden = !isThere;
    button.classList.toggle("down", Boolean(table?.pressed.includes(`button.${button.dataset.button}`)));
  }
}

function words(game, playing) {
  if (!game || game.game === "tamsk") return tamskBanner(game, playing, isTable());
  return tableBanner(game, playing, atBoard.hint());
}

function liveness() {
  byId("live").dataset.live = now.live ? "yes" : "no";
  const text = say(now.live ? "bench.live" : "bench.not_live");
  if (byId("live-text").textContent !== text) byId("live-text").textContent = text;
  document.body.classList.toggle("not-live", !now.live);
  showNotices(now.health);
  if (!now.live) banner.lost();
  else if (now.known) banner.show(words(now.game, now.playing), now.game);
}

let toast = 0;
function complain(sentence) {
  const box = byId("toast");
  box.textContent = sentence;
  box.hidden = false;
  clearTimeout(toast);
  toast = setTimeout(() => (box.hidden = true), 6000);
}
attend({ refused: complain, table: seen });

for (const button of document.querySelectorAll(".press")) {
  button.addEventListener("click", () => hands("press", { button: button.dataset.button }));
}
byId("timer-glass").addEventListener("click", () => hands("turn timer15"));

listen(
  "events",
  {
    house: (house) => (now.house = house),
    layout: (spaces) => board.layOut(spaces),
    game: news,
    table: seen,
    tiles: (tiles) => {
      now.tiles = tiles;
      show();
    },
    picture: (picture) => {
      now.picture = picture;
      show();
    },
    lights: (colours) => {
      now.lamps = colours;
      board.light(colours);
    },
    display: showDisplay,
  },
  (live) => {
    if (now.live === live) return;
    now.live = live;
    liveness();
  },
);

const FRAME = 50; // ms between two pictures of the sand: it moves by less than a pixel in that time
let drawn = 0;

function frame(at) {
  requestAnimationFrame(frame);
  if (at - drawn < FRAME) return;
  drawn = at;
  const { game, live } = now;
  // What is not live must not go on as if it were: sand and clocks stand still until the board answers again.
  if (!game || !live) return;
  const age = (performance.now() - now.heard) / 1000;
  if (game.game !== "tamsk") atBoard.run(age);
  else {
    const stopped = game.paused || Boolean(game.outcome);
    board.run(age, { level: game.level, stopped });
    timer.run(age, { stopped });
    runClocks(game, age);
  }
}
requestAnimationFrame(frame);
