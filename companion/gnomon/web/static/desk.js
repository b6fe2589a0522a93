// The composition of the arbiter's desk: it shows what each correction would change, and makes it when told so.

import { Board } from "./tamsk.js";
import { remarks, shows, sidesNow } from "./match_clock.js";
import { clock, remaining } from "./sand.js";
import { clockState, put } from "./seats.js";
import { listen } from "./stream.js";
import { say } from "./words.js";
import { html } from "./drawing.js";
import { Forms } from "./desk_forms.js";
import { Stopwatch } from "./desk_watch.js";

const byId = (id) => document.getElementById(id);
const main = byId("main");
const language = document.documentElement.lang;
const PARTS = ["state", "turns", "incidents", "away", "bundles", "picture", "glasses", "match-clock"];
const COLOURS = {
  "last move": "303030",
  "to move": "465082",
  flag: "ff0046",
  "running out": "ff8c00",
  wrong: "ff0000",
  "put here": "003cff",
  "take away": "ffdc00",
  movable: "00b400",
  target: "00c8c8",
  full: "9600c8",
};
const LASTS = 4000; // ms that a word of success stays, unless the next form is opened before
const TICK = 250; // ms between two readings of the sand

let news = null;
let heard = 0;
let shown = "";
let filter = main.querySelector(".filters [aria-current]")?.dataset.show ?? "";
main.classList.add("program");

const board = byId("tamsk") ? new Board(byId("tamsk"), inWords, { hands: true }) : null;
const forms = new Forms(main, { done });
const watch = new Stopwatch(byId("watch"), {
  pause: () => (news && !news.paused && !news.outcome ? forms.atOnce("pause") : undefined),
  note: (took) => forms.open("note", { took }),
});

function toast(text) {
  const box = byId("toast");
  box.textContent = text;
  box.hidden = false;
  clearTimeout(toast.hides);
  toast.hides = setTimeout(hush, LASTS);
}

function hush() {
  clearTimeout(toast.hides);
  byId("toast").hidden = true;
}
// What the next form would change is read just where such a word could stand.
main.addEventListener("toggle", (event) => event.target.matches(".act[open]") && hush(), true);

async function done(error = "") {
  byId("wrong").textContent = error;
  byId("wrong").hidden = !error;
  if (error) return;
  toast(say("arbiter.done"));
  await refresh();
}

/** Put the server's newest words in the place of those that are shown, but for the form that is being filled in. */
async function refresh() {
  const answer = await fetch(`/desk?language=${language}`, { headers: { Accept: "text/html" } }).catch(() => null);
  if (!answer?.ok || answer.redirected) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const fresh = page.getElementById("main");
  if (!fresh) return;
  if (fresh.dataset.game !== main.dataset.game || Boolean(byId("acts")) !== Boolean(page.getElementById("acts"))) {
    location.reload();
    return;
  }
  main.dataset.mark = shown = fresh.dataset.mark;
  for (const id of PARTS)
    if (byId(id) && page.getElementById(id)) byId(id).replaceChildren(...page.getElementById(id).childNodes);
  Object.assign(byId("state").dataset, page.getElementById("state").dataset);
  forms.renew(page.getElementById("acts"));
  watch.move(byId("watch"));
  applyFilter();
  tick();
}

let due = 0;
function refreshSoon() {
  clearTimeout(due);
  due = setTimeout(refresh, 250);
}

// The board

function inWords(space, rings, glass) {
  const stands = glass ? `${say(`player.${glass.player}`)}, ` : "";
  return `${space.name}: ${stands}${say("arbiter.fact.rings", { space: space.name })} ${rings}/${space.capacity}`;
}

let asking = "";
function askAbout(name) {
  asking = name;
  const box = byId("ask-space");
  box.hidden = false;
  byId("ask-space-title").textContent = say("arbiter.space", { space: name });
  const stands = news?.glasses.some((glass) => glass.space === name);
  for (const button of box.querySelectorAll(".of-glass")) button.hidden = !stands;
  box.querySelector("button:not([hidden])").focus();
}

function leaveSpace(back = true) {
  const box = byId("ask-space");
  if (!box || box.hidden) return;
  box.hidden = true;
  if (back && asking) board.focus(asking);
}

byId("tamsk")?.addEventListener("click", (event) => {
  const name = event.target.closest(".space")?.dataset.space;
  if (name) askAbout(name);
});
byId("tamsk")?.addEventListener("keydown", (event) => {
  const arrows = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };
  const name = event.target.closest(".space")?.dataset.space;
  if (!name) return;
  if (event.key === "Enter" || event.key === " ") askAbout(name);
  else if (arrows[event.key]) {
    const next = board.beside(name, arrows[event.key]);
    if (next) board.focus(next);
  } else return;
  event.preventDefault();
  event.stopPropagation();
});
byId("ask-space-cancel")?.addEventListener("click", () => leaveSpace());

// What opens a form

main.addEventListener("click", (event) => {
  const opener = event.target.closest("[data-opens]");
  if (!opener) {
    const show = event.target.closest("[data-show]");
    if (show) {
      event.preventDefault();
      filter = show.dataset.show;
      applyFilter();
    }
    return;
  }
  const values = {};
  if (opener.closest("#ask-space")) {
    values[opener.dataset.opens === "rings" ? "space" : "glass"] = asking;
    if (opener.dataset.opens === "rings")
      values.count = String(news?.board.spaces.find((space) => space.name === asking)?.rings ?? 0);
    leaveSpace(false);
  }
  if (opener.href) event.preventDefault(); // without this program it leads to the form
  if (opener.dataset.winner) Object.assign(values, { winner: opener.dataset.winner, reason: "arbiter" });
  if (opener.dataset.player) values.player = opener.dataset.player;
  if (opener.dataset.glass) values.glass = opener.dataset.glass;
  if (opener.dataset.turns) values.turns = opener.dataset.turns;
  forms.open(opener.dataset.opens, values);
});

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") {
    leaveSpace();
    forms.close();
    return;
  }
  if (event.ctrlKey || event.altKey || event.metaKey || event.repeat) return;
  if (event.target.closest("input:not([type=radio], [type=checkbox]), select, textarea")) return;
  const key = event.key.toLowerCase();
  if (key === "p") byId("at-once")?.requestSubmit();
  else if (key === "w" && byId("watch")) watch.toggle();
  else if (!forms.openByKey(key)) return;
  event.preventDefault();
});

function applyFilter() {
  const list = byId("incidents");
  let some = false;
  for (const item of list.querySelectorAll(".incident-list li")) {
    item.hidden = Boolean(filter) && item.dataset.group !== filter;
    some ||= !item.hidden;
  }
  list.querySelector(".none").hidden = some;
  for (const link of list.querySelectorAll("[data-show]")) {
    if (link.dataset.show === filter) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  }
}

// News

function hear(told) {
  news = told.game === null ? null : told;
  heard = performance.now();
  if ((told.game ?? "") !== main.dataset.game) {
    refreshSoon();
    return;
  }
  if (board && news) {
    board.show(news, null);
    board.light(news.board.spaces.map((space) => COLOURS[space.light] ?? "000000"));
  }
  tick();
  const mark = JSON.stringify([
    told.plies?.length,
    told.rulings?.at(-1),
    told.paused,
    told.phase_sentence,
    told.repairs,
    told.choices,
    told.health,
    told.outcome,
    told.turn,
    told.clock?.running,
    told.clock?.first_flag,
  ]);
  if (mark !== hear.mark && hear.mark !== undefined) refreshSoon();
  hear.mark = mark;
}

function tick() {
  const age = (performance.now() - heard) / 1000;
  const live = main.dataset.live === "yes";
  match(live ? age : 0);
  if (!news?.glasses) return;
  board?.run(live ? age : 0, { level: news.level, stopped: !live });
  for (const button of document.querySelectorAll(".hourglass[data-number]")) {
    const glass = button.dataset.number === "timer" ? news.timer15 : news.glasses[Number(button.dataset.number)];
    if (!glass) continue;
    const left = remaining(glass, live ? age : 0);
    const text = glass.stopped ? say("arbiter.glass.stopped") : clock(left);
    const field = button.querySelector(".left-time");
    if (field.textContent !== text) field.textContent = text;
    button.dataset.runs = glass.running && left > 0 ? "yes" : "no";
    if (glass.space && button.dataset.glass !== glass.space) {
      button.dataset.glass = glass.space;
      button.querySelector(".where").textContent = `${say(`player.${glass.player}`)} ${glass.space}`;
    }
  }
}

/** What the match clock shows, `age` seconds after the news. */
function match(age) {
  const sides = sidesNow(news, age);
  for (const dial of document.querySelectorAll(".dial")) {
    const side = sides[Number(dial.dataset.side)];
    if (!side) continue;
    dial.dataset.runs = side.running ? "yes" : "no";
    dial.dataset.clock = clockState(side);
    dial.dataset.player = side.player;
    put(dial.querySelector(".left-time"), shows(side));
    put(dial.querySelector("small"), [...(side.flagged ? [say("clock.flag")] : []), ...remarks(side)].join(" · "));
  }
}

setInterval(tick, TICK);
listen(`/board/events?language=${language}`, { summary: hear }, (live) => {
  main.dataset.live = byId("live").dataset.live = live ? "yes" : "no";
  byId("stale").hidden = live;
  byId("live-text").textContent = say(live ? "page.live" : "page.not_live");
  tick();
});
