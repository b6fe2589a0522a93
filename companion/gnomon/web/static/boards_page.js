// Show the list of boards: found, filtered, in order, and on top what needs somebody.

import { byId, fill, find, findAll, hit, html, put } from "./dom.js";
import { HallNews, byName, byTime, spoken } from "./hall_news.js";
import { nameOf, Row } from "./hall_tile.js";
import { say } from "./words.js";

const main = byId("main");
const SHORT = Number(main.dataset.short);
const SORT = 2000;
const FRAME = 250;
const LONGEST = 200; // rows that count their times on: more than any screen shows

const search = byId("find", HTMLInputElement);
/** @type {Map<string, Row>} */
const rows = new Map();
/** @type {any[]} */
let shown = [];
let sorted = -Infinity;
let drawn = 0;
/** @type {{alarms: any[], health: Record<string, string[]>, refused: Record<string, number>}} */
let alarms = { alarms: [], health: {}, refused: {} };
let alarmed = 0;

const news = new HallNews({
  address: main.dataset.desk === "yes" ? "/boards/events" : "/wall/events",
  changed: (names) => {
    for (const name of names ?? []) if (news.boards.has(name)) rows.get(name)?.show(news.boards.get(name));
    if (names === null) sorted = -Infinity;
  },
  live: (live) => {
    byId("live").dataset.live = live ? "yes" : "no";
    main.dataset.live = live ? "yes" : "no";
    byId("live-text").textContent = live ? say("page.live") : say("page.not_live");
  },
  alarms: (told) => {
    alarms = told;
    alarmed = performance.now();
    tellAlarms();
  },
});

function isWanted(board, wanted, text) {
  if (wanted && board.state !== wanted) return false;
  return (
    !text ||
    [board.board, board.label ?? "", ...board.players.map(({ name }) => name)].some((said) =>
      said.toLocaleLowerCase().includes(text),
    )
  );
}

function lay() {
  if (news.number < 0) return;
  const boards = [...news.boards.values()];
  const wanted = find(document, "input[name=state]:checked", HTMLInputElement).value;
  const text = search.value.trim().toLocaleLowerCase();
  shown = boards
    .filter((board) => isWanted(board, wanted, text))
    .sort(byId("order", HTMLSelectElement).value === "name" ? byName : byTime(SHORT));
  for (const board of boards) {
    const row = rows.get(board.board);
    if (row) row.show(board);
    else rows.set(board.board, new Row(board, SHORT));
  }
  for (const name of rows.keys()) if (!news.boards.has(name)) rows.delete(name);
  const elements = shown.flatMap(({ board }) => rows.get(board)?.element ?? []);
  const focused = document.activeElement?.closest(".row");
  if (fill(byId("rows"), elements) && focused?.isConnected) find(focused, "a").focus({ preventScroll: true });
  byId("none").hidden = elements.length > 0;
  byId("none").textContent = boards.length ? say("hall.list.none") : say("hall.wall.empty");
  byId("list-count").textContent = String(elements.length || "");
  tally(boards);
}

function tally(boards) {
  const counts = new Map([["", boards.length]]);
  for (const { state } of boards) counts.set(state, (counts.get(state) ?? 0) + 1);
  for (const place of findAll(document, "[data-count]")) {
    const count = counts.get(place.dataset.count ?? "") ?? 0;
    place.textContent = String(count);
    const label = place.closest("label");
    if (label) label.hidden = !count && place.dataset.count !== "" && !find(label, "input", HTMLInputElement).checked;
  }
}

function tellAlarms() {
  const list = byId("alarms");
  const key = JSON.stringify(alarms.alarms.map(({ board, trouble, detail, page }) => [board, trouble, detail, page]));
  if (list.dataset.told !== key) {
    list.dataset.told = key;
    list.replaceChildren(...alarms.alarms.map(alarm));
  }
  for (const [index, { age }] of alarms.alarms.entries()) {
    const passed =
      age === null ? "" : say("hall.list.since", { time: spoken(Math.max(10000, age + performance.now() - alarmed)) });
    const place = list.children[index]?.querySelector(".alarm-age");
    if (place) put(place, passed);
  }
  byId("alarms-none").hidden = alarms.alarms.length > 0;
  byId("alarms-count").textContent = String(alarms.alarms.length || "");
  byId("health").replaceChildren(
    ...(alarms.health[document.documentElement.lang] ?? []).map((text) => html("li", { text })),
  );
  const refused = Object.entries(alarms.refused).filter(([, times]) => times);
  byId("refused").hidden = refused.length === 0;
  byId("refused-list").replaceChildren(
    ...refused.map(([what, times]) => html("li", { text: `${times} × ${say(`hall.refused.${what}`)}` })),
  );
}

function alarm({ board, trouble, detail, about, page }) {
  const where = about[document.documentElement.lang];
  const what = html("span", { class: "alarm-what", text: say(`hall.trouble.${trouble}`) });
  const age = html("span", { class: "alarm-age" });
  const told = say(`hall.trouble.${trouble}.do`);
  if (!board) {
    const name = html("b", { class: "alarm-board", text: where });
    return html(
      "li",
      { "data-trouble": trouble },
      html("a", { href: page }, name, what, age),
      html("p", { text: told }),
    );
  }
  const more = where ? html("a", { href: page, text: where }) : html("span", { class: "alarm-detail", text: detail });
  return html(
    "li",
    { "data-trouble": trouble },
    html("a", { href: `/boards/${board}` }, nameOf(board, "alarm-board"), what, age),
    html("p", {}, ...(where || detail ? [more, " "] : []), told),
  );
}

function frame(at) {
  requestAnimationFrame(frame);
  if (at - drawn < FRAME) return;
  drawn = at;
  if (at - sorted > SORT) {
    sorted = at;
    lay();
    if (main.dataset.desk === "yes" && alarmed) tellAlarms();
  } else if (main.dataset.live === "yes") for (const { board } of shown.slice(0, LONGEST)) rows.get(board)?.run();
}

function step(by) {
  const links = findAll(byId("rows"), "a");
  if (!links.length) return;
  const at = links.findIndex((link) => link === document.activeElement);
  links[Math.min(links.length - 1, Math.max(0, at < 0 ? 0 : at + by))].focus();
}

const again = () => {
  sorted = -Infinity;
};
if (!main.dataset.news) byId("live").hidden = false; // a site of files shows it once it has been read
byId("tools").hidden = false;
byId("tools").addEventListener("submit", (event) => event.preventDefault());
byId("tools").addEventListener("input", again);
document.addEventListener("keydown", (event) => {
  const isTyping = hit(event, "input[type=search], select, textarea");
  if (event.key === "/" && !isTyping) {
    event.preventDefault();
    search.focus();
  } else if (event.key === "Escape" && event.target === search) {
    search.value = "";
    again();
  } else if ((event.key === "ArrowDown" || event.key === "ArrowUp") && !hit(event, "select, input[type=radio]")) {
    event.preventDefault();
    step(event.key === "ArrowDown" ? 1 : -1);
  }
});
requestAnimationFrame(frame);
