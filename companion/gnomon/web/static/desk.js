// Run the arbiter's desk: show what each correction would change, and make it when told so.

import { byId, find, findAll, hit, optional, put } from "./dom.js";
import { Board, draw, lamps } from "./tamsk.js";
import { remarks, shows, sidesNow } from "./match_clock.js";
import { remaining, says } from "./sand.js";
import { clockState } from "./seats.js";
import { listen } from "./stream.js";
import { say } from "./words.js";
import { Forms } from "./desk_forms.js";
import { Stopwatch } from "./desk_watch.js";

const main = byId("main");
const language = document.documentElement.lang;
const PARTS = ["state", "turns", "incidents", "away", "bundles", "picture", "glasses", "match-clock"];
const LASTS = 4000; // ms that a word of success stays, unless the next form is opened before
const TICK = 250; // ms between two readings of the sand

/** @type {any} */
let news = null;
let heard = 0;
let filter = optional(main, ".filters [aria-current]")?.dataset.show ?? "";

/** What the server said last of each part, before this program changes anything in it. */
const lastSaid = new Map(PARTS.map((id) => [id, document.getElementById(id)?.cloneNode(true)]));
main.classList.add("program");

const drawing = optional(document, "#live-board", SVGSVGElement);
if (drawing) await draw(drawing);
const board = drawing && new Board(drawing, inWords, { hands: true });
const forms = new Forms(main, { done });
const watch = new Stopwatch(optional(document, "#watch"), {
  // After a correction the page is newer than the news, after a press of a button the news are newer than the page.
  pause: () => (news && !news.outcome && (!news.paused || pageRuns()) ? forms.atOnce("pause") : undefined),
  note: (took) => forms.open("note", { took }),
});

function pageRuns() {
  return optional(document, "#at-once [name=do]", HTMLInputElement)?.value === "pause";
}

let hides = 0;
function toast(text) {
  const box = byId("toast");
  box.textContent = text;
  box.hidden = false;
  clearTimeout(hides);
  hides = setTimeout(hush, LASTS);
}

function hush() {
  clearTimeout(hides);
  byId("toast").hidden = true;
}
// What the next form would change is read just where such a word could stand.
main.addEventListener(
  "toggle",
  ({ target }) => target instanceof Element && target.matches(".act[open]") && hush(),
  true,
);

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
  if (
    fresh.dataset.game !== main.dataset.game ||
    Boolean(document.getElementById("acts")) !== Boolean(page.getElementById("acts"))
  ) {
    location.reload();
    return;
  }
  main.dataset.mark = fresh.dataset.mark ?? "";
  for (const id of PARTS) {
    const part = page.getElementById(id);
    if (!part || lastSaid.get(id)?.isEqualNode(part)) continue; // a click on what is taken away meanwhile would be lost
    lastSaid.set(id, part.cloneNode(true));
    document.getElementById(id)?.replaceChildren(...part.childNodes);
  }
  Object.assign(byId("state").dataset, find(page, "#state").dataset);
  forms.renew(page.getElementById("acts"));
  watch.move(optional(document, "#watch"));
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
  for (const button of findAll(box, ".of-glass")) button.hidden = !stands;
  find(box, "button:not([hidden])").focus();
}

function leaveSpace(back = true) {
  const box = optional(document, "#ask-space");
  if (!box || box.hidden) return;
  box.hidden = true;
  if (back && asking) board?.focus(asking);
}

drawing?.addEventListener("click", (event) => {
  const name = hit(event, "[data-space]", SVGElement)?.dataset.space;
  if (name) askAbout(name);
});
board?.onKeys(askAbout);
optional(document, "#ask-space-cancel")?.addEventListener("click", () => leaveSpace());

// What opens a form

main.addEventListener("click", (event) => {
  const opener = hit(event, "[data-opens]");
  if (!opener) {
    const show = hit(event, "[data-show]");
    if (show) {
      event.preventDefault();
      filter = show.dataset.show ?? "";
      applyFilter();
    }
    return;
  }
  /** @type {Record<string, string>} */
  const values = {};
  if (opener.closest("#ask-space")) {
    values[opener.dataset.fills ?? ""] = asking;
    if (opener.dataset.fills === "space")
      values.count = String(news?.board.spaces.find((space) => space.name === asking)?.rings ?? 0);
    leaveSpace(false);
  }
  if (opener instanceof HTMLAnchorElement) event.preventDefault(); // without this program it leads to the form
  if (opener.dataset.winner) Object.assign(values, { winner: opener.dataset.winner, reason: opener.dataset.reason });
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
  if (hit(event, "input:not([type=radio], [type=checkbox]), select, textarea")) return;
  const key = event.key.toLowerCase();
  if (key === "p") optional(document, "#at-once", HTMLFormElement)?.requestSubmit();
  else if (key === "w" && document.getElementById("watch")) watch.toggle();
  else if (!forms.openByKey(key)) return;
  event.preventDefault();
});

function applyFilter() {
  const list = byId("incidents");
  let some = false;
  for (const item of findAll(list, ".incident-list li")) {
    item.hidden = Boolean(filter) && item.dataset.group !== filter;
    some ||= !item.hidden;
  }
  find(list, ".none").hidden = some;
  for (const link of findAll(list, "[data-show]")) {
    if (link.dataset.show === filter) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  }
}

// News

let seen = "";
function hear(told) {
  news = told.game === null ? null : told;
  heard = performance.now();
  if ((told.game ?? "") !== main.dataset.game) {
    refreshSoon();
    return;
  }
  if (board && news) {
    board.show(news, null);
    board.light(lamps(news.board.spaces));
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
    told.opponent?.on_turn,
    told.opponent?.announced?.text,
    told.opponent?.announced?.steps,
    told.clock?.running,
    told.clock?.first_flag,
  ]);
  if (mark !== seen && seen) refreshSoon();
  seen = mark;
}

function tick() {
  const age = (performance.now() - heard) / 1000;
  const live = main.dataset.live === "yes";
  match(live ? age : 0);
  if (!news?.glasses) return;
  board?.run(live ? age : 0, { level: news.level, stopped: !live });
  for (const button of findAll(document, ".hourglass[data-number]")) {
    const glass = button.dataset.number === "timer" ? news.timer15 : news.glasses[Number(button.dataset.number)];
    if (!glass) continue;
    const left = remaining(glass, live ? age : 0);
    const text = glass.stopped ? say("arbiter.glass.stopped") : says(glass, left);
    const field = find(button, ".left-time");
    if (field.textContent !== text) field.textContent = text;
    button.dataset.runs = glass.running && left > 0 ? "yes" : "no";
    if (glass.space && button.dataset.glass !== glass.space) {
      button.dataset.glass = glass.space;
      find(button, ".where").textContent = `${say(`player.${glass.player}`)} ${glass.space}`;
    }
  }
}

/** What the match clock shows, `age` seconds after the news. */
function match(age) {
  const sides = sidesNow(news, age);
  for (const dial of findAll(document, ".dial")) {
    const side = sides[Number(dial.dataset.side)];
    if (!side) continue;
    dial.dataset.runs = side.running ? "yes" : "no";
    dial.dataset.clock = clockState(side);
    dial.dataset.player = side.player;
    put(find(dial, ".left-time"), shows(side));
    put(find(dial, "small"), [...(side.flagged ? [say("clock.flag")] : []), ...remarks(side)].join(" · "));
  }
}

setInterval(tick, TICK);
listen(`/board/events?language=${language}`, { summary: hear }, (live) => {
  main.dataset.live = live ? "yes" : "no";
  byId("live").dataset.live = live ? "yes" : "no";
  byId("stale").hidden = live;
  byId("live-text").textContent = say(live ? "page.live" : "page.not_live");
  tick();
});
