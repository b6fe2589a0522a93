// Run the clock page: one large side a player, as much time as there is, and who is to move.

import { byId, html, offerFullScreen, put } from "./dom.js";
import { banner, nameOf, onTurn } from "./banner.js";
import { MatchClock, putTime, sizeOfName } from "./clock_match.js";
import { post } from "./post.js";
import { fraction, remaining, says } from "./sand.js";
import { players, sign, thought, used } from "./seats.js";
import { listen } from "./stream.js";
import { say } from "./words.js";

const FRAME = 200; // ms: numbers change once a second, bars by less than a pixel
const TENTHS = 50; // ms between two pictures where tenths of a second are shown
const LASTS = 5000; // ms that a refusal stays
const FACING = "gnomon.clock.facing";
/** @type {{game: any, live: boolean, heard: number, lost: number}} */
const now = { game: undefined, live: false, heard: 0, lost: 0 };
const may = byId("main").dataset.may === "yes";
const match = new MatchClock(byId("sides"), { may, complain });
const sides = new Map(); // by player: the elements that change
let said = "";
let drawn = 0;
let frameTime = FRAME;
let refused = "";
let forgets = 0;

/** Whether sand decides here: then the glasses are shown, otherwise how long each player has thought. */
const hasSand = (game) => game.traits.has_sand;

function build(game) {
  const all = players(game);
  const key = all.map(({ player }) => `${player} ${nameOf(game, player)}`).join("|") + hasSand(game);
  if (key === said) return;
  said = key;
  sides.clear();
  byId("sides").dataset.count = String(all.length);
  byId("sides").replaceChildren(
    ...all.map(({ player }) => {
      /** @type {Record<string, any>} */
      const parts = {
        state: html("p", { class: "state" }),
        number: html("p", { class: "number" }),
        what: html("p", { class: "what" }),
        bars: [],
      };
      const bars = html("div", { class: "bars" });
      if (hasSand(game)) parts.bars = glassesInto(bars);
      parts.side = html(
        "section",
        { class: "side", "data-player": player, "aria-label": nameOf(game, player) },
        html(
          "div",
          { class: "face" },
          html(
            "h2",
            { class: "who" },
            html("span", { class: sign(game, player), "aria-hidden": "true" }),
            ...named(game, player),
          ),
          parts.state,
          parts.number,
          parts.what,
          bars,
        ),
      );
      sizeOfName(parts.side, game.people?.[player] ?? "");
      sides.set(player, parts);
      return parts.side;
    }),
  );
}

/** Three glasses of a player, to be filled. */
function glassesInto(box) {
  const bars = [0, 1, 2].map(() => {
    /** @type {Record<string, HTMLElement>} */
    const bar = { fill: html("span", { class: "fill" }), text: html("b"), where: html("small") };
    bar.row = html("div", { class: "bar" }, html("span", { class: "tube" }, bar.fill), bar.text, bar.where);
    return bar;
  });
  box.replaceChildren(...bars.map(({ row }) => row));
  return bars;
}

/** The person large, and the player of the rules beside; without a person the player alone. */
function named(game, player) {
  const person = game.people?.[player];
  if (!person) return [html("span", { text: nameOf(game, player) })];
  const own = nameOf({ ...game, people: {} }, player);
  return [html("span", { text: person }), html("small", { text: own })];
}

function show() {
  const { game, live } = now;
  byId("main").dataset.live = live ? "yes" : "no";
  if (game === undefined) return;
  byId("sides").hidden = !game;
  byId("none").hidden = Boolean(game);
  if (!game) {
    said = "";
    match.forget();
    halt(null);
    return put(byId("middle"), live ? "" : say("page.not_live"));
  }
  halt(game);
  if (game.clock) return showMatch(game);
  match.forget();
  build(game);
  const turn = onTurn(game);
  const halted = game.paused || Boolean(game.outcome);
  for (const [player, { side, state }] of sides) {
    const wins = game.outcome?.winner === player;
    side.classList.toggle("on-turn", player === turn && !halted);
    side.classList.toggle("wins", wins);
    put(state, wins ? say("players.clock.wins") : player === turn && !halted ? say("players.on_turn") : "");
  }
  middle();
  draw();
}

/** Both halves of a match clock; sand, where there is some, stands below. */
function showMatch(game) {
  match.show(game);
  const key = `match ${match.said}`;
  if (key !== said) {
    said = key;
    sides.clear();
    game.clock.sides.forEach((side, index) => {
      if (hasSand(game)) sides.set(side.player, { bars: glassesInto(match.sand(index)) });
    });
  }
  middle();
  draw();
}

/** What players do with a match clock besides pressing it, and how exactly a tap is stamped. */
function halt(game) {
  const clock = game?.clock;
  const button = byId("halt");
  button.hidden = !clock || !may || !clock.started || Boolean(game.outcome);
  button.dataset.does = game?.paused ? "resume" : "pause";
  put(button, say(game?.paused ? "clock.resume" : "clock.pause"));
  byId("again").hidden = !clock || !may || !game.outcome;
  byId("again", HTMLAnchorElement).href = `/board/new?game=${game?.game ?? ""}`;
  byId("stamp").hidden =
    !clock || !may || !game.traits.tapped || Boolean(game.outcome) || (clock.started && !game.paused);
}

byId("halt").addEventListener("click", async () => {
  const answer = await post(`/clock/${byId("halt").dataset.does}?language=${document.documentElement.lang}`);
  if (!answer.ok) complain(answer.error ?? say("players.not_sent"));
});

function complain(sentence) {
  refused = sentence;
  clearTimeout(forgets);
  forgets = setTimeout(() => {
    refused = "";
    middle();
  }, LASTS);
  middle();
}

function middle(age = 0) {
  const { game, live } = now;
  byId("strip").classList.toggle("refused", Boolean(refused));
  if (refused) return put(byId("middle"), refused);
  if (!game) return;
  const timer = game.timer15;
  const runs = live && Boolean(timer?.running) && !game.paused && !game.outcome && remaining(timer, age) > 0;
  byId("strip").classList.toggle("urgent", runs && timer.binds);
  put(
    byId("middle"),
    runs
      ? say("page.named", { name: say("players.timer15"), value: says(timer, remaining(timer, age)) })
      : between(game, live),
  );
}

/** What is to be said beside the sides: no more than who plays while one of them is to play, and says so itself. */
function between(game, live) {
  if (!live) return say("page.not_live");
  const { title, side } = banner(game);
  const { clock } = game;
  if (clock) {
    if (game.outcome || game.paused || game.phase === "wrong" || game.phase === "asking") return title;
    if (!clock.started) return begins(game);
    if (clock.ahead) return say("clock.ahead");
    if (owes(game)) return say("clock.tap", { name: nameOf(game, clock.running) });
    return game.game === "clock" ? "" : title;
  }
  const quiet = game.demonstration ? say("players.demonstration") : "";
  return sides.has(side) && !game.outcome ? quiet : title;
}

/** Whether a turn was entered and its button alone ends it. */
function owes(game) {
  const runs = game.clock.sides.find((side) => side.running);
  return game.clock.press === "button" && runs && !runs.players.concat(runs.player).includes(onTurn(game));
}

/** How the clock is started. */
function begins(game) {
  if (!game.traits.tapped || !may) return say("clock.start.turn");
  return game.game === "clock"
    ? say("clock.start.free")
    : say("clock.start.known", { name: nameOf(game, onTurn(game)) });
}

function draw() {
  const { game, live, heard } = now;
  if (!game) return;
  if (game.clock) drawMatch(game);
  else drawSides(game, live, heard);
}

/** A match clock stands still where it was when the board was last heard of. */
function drawMatch(game) {
  const { live, heard, lost } = now;
  const age = Math.max(0, (live ? performance.now() : lost) - heard) / 1000;
  frameTime = match.run(age) ? TENTHS : FRAME;
  const halted = game.paused || Boolean(game.outcome);
  for (const [player, { bars }] of sides) glasses(game, player, bars, halted ? 0 : age, halted);
  if (!halted) middle(age);
}

function drawSides(game, live, heard) {
  const halted = game.paused || Boolean(game.outcome) || !live;
  const age = halted ? 0 : (performance.now() - heard) / 1000;
  for (const [player, parts] of sides) {
    if (hasSand(game)) sand(game, player, parts, age);
    else {
      frameTime = FRAME;
      putTime(parts.number, thought(used(game, player, age)));
      put(parts.what, say("players.used"));
    }
  }
  if (!halted) middle(age);
}

function sand(game, player, { number, what, bars }, age) {
  const least = glasses(game, player, bars, age, game.paused || Boolean(game.outcome));
  putTime(number, least ? says(least, remaining(least, age)) : "–");
  put(what, say(least ? "players.clock.least" : "players.clock.none_runs", { space: least?.space ?? "" }));
}

/** Fill the glasses of a player, and give the one with the least sand of those that run. */
function glasses(game, player, bars, age, halted) {
  const own = game.glasses.filter((glass) => glass.player === player);
  // In a pause and after the end no sand runs, and what is left in each glass is told all the same.
  const counts = (glass) =>
    !glass.stopped && (glass.running || halted) && (glass.estimate || remaining(glass, age) > 0);
  own.forEach((glass, index) => {
    const bar = bars[index];
    const left = remaining(glass, age);
    bar.fill.style.height = `${Math.round(fraction(glass, age) * 100)}%`;
    bar.row.classList.toggle("stopped", Boolean(glass.stopped));
    bar.row.classList.toggle("short", !glass.stopped && glass.running && left <= 15 && !glass.estimate);
    put(bar.text, glass.stopped ? "×" : counts(glass) ? says(glass, left) : "–");
    put(bar.where, glass.space);
  });
  const running = own.filter(counts);
  return running.reduce((one, other) => (!one || remaining(other, age) < remaining(one, age) ? other : one), null);
}

function face(isFacing) {
  byId("main").dataset.facing = isFacing ? "yes" : "no";
  byId("facing").setAttribute("aria-pressed", String(isFacing));
}

const remembered = localStorage.getItem(FACING);
face(remembered === null ? matchMedia("(orientation: portrait) and (max-width: 699px)").matches : remembered === "yes");
byId("facing").addEventListener("click", () => {
  const isFacing = byId("main").dataset.facing !== "yes";
  localStorage.setItem(FACING, isFacing ? "yes" : "no");
  face(isFacing);
});

offerFullScreen(byId("full"));
document.addEventListener("fullscreenchange", () =>
  put(byId("full"), say(document.fullscreenElement ? "players.clock.small" : "players.clock.full")),
);

/** Keep the screen on where the browser may: over TLS, while the page is seen. */
async function stayAwake() {
  if (document.visibilityState !== "visible") return;
  await navigator.wakeLock?.request("screen").catch(() => null);
}
document.addEventListener("visibilitychange", stayAwake);
stayAwake();

listen(
  `/board/events?language=${document.documentElement.lang}`,
  {
    summary: (news) => {
      now.game = news.game === null ? null : news;
      now.heard = performance.now();
      now.live = true;
      show();
    },
  },
  (live) => {
    if (now.live && !live) now.lost = performance.now();
    now.live = live;
    show();
  },
);

function frame(at) {
  requestAnimationFrame(frame);
  if (at - drawn < frameTime) return;
  drawn = at;
  if (now.live) draw();
}
requestAnimationFrame(frame);
