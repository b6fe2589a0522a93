// Show the boards of a hall on one screen, short of time first, page by page.

import { byId, fill, find, findAll, hit, html, offerFullScreen } from "./dom.js";
import { HallNews, byTime, spoken } from "./hall_news.js";
import { Tile, signOf } from "./hall_tile.js";
import { say } from "./words.js";

const main = byId("main");
const SHORT = Number(main.dataset.short);
const TURN = Number(main.dataset.seconds) * 1000;
const [WIDE, HIGH, GAP] = main.dataset.miniatures ? [23, 9, 8] : [15.5, 7.1, 8]; // of a tile, in its letters' size, and between two in pixels
const TALLEST = 9; // of a tile, in its letters' size, where there is more room than it needs
const [LEAST, LARGEST] = [13, 30]; // pixels of letters: as large as all boards find room with, then boards are turned over
const SORT = 2000; // ms between two orders: what moves all the time cannot be read
const FRAME = 100;
const NARROW = 700; // pixels: there a page is scrolled, not turned
const MOST = 60; // tiles where a page is scrolled
const STATES = [
  "running",
  "question",
  "wrong",
  "paused",
  "waiting",
  "over",
  "adjourned",
  "empty",
  "lost",
  "gone",
  "unheard",
];

const tiles = new Map();
let rounds = [];
let order = [];
let turned = performance.now();
let sorted = -Infinity;
let drawn = 0;
let page = 0;
let isHeld = false;

const news = new HallNews({
  address: "/wall/events",
  changed: (names) => {
    if (names === null || names.some((name) => !tiles.has(name) || !news.boards.has(name))) sorted = -Infinity;
    for (const name of names ?? [])
      if (tiles.has(name) && news.boards.has(name)) tiles.get(name).show(news.boards.get(name));
  },
  live: (live) => {
    byId("live").dataset.live = live ? "yes" : "no";
    main.dataset.live = live ? "yes" : "no";
    byId("live-text").textContent = live ? say("page.live") : say("page.not_live");
  },
  rounds: (told) => {
    rounds = told;
    tellRound();
    sorted = -Infinity; // there is less room for boards beside a round
  },
});

/** How large the letters of tiles can be in so many columns. */
function letters({ width, height }, columns, count) {
  const rows = Math.ceil(count / columns);
  return Math.min((width / columns - GAP) / WIDE, (height / rows - GAP) / HIGH, LARGEST);
}

/** How many tiles there is room for, and how large they are: the most legible way to show them all, if there is one. */
function room(count) {
  const box = byId("tiles");
  const space = {
    width: box.clientWidth,
    height: innerHeight - box.getBoundingClientRect().top - scrollY - Number(box.dataset.below),
  };
  if (innerWidth < NARROW) return { columns: 1, rows: MOST, size: 15.5, high: 116 };
  const most = Math.max(1, Math.floor(space.width / (LEAST * WIDE + GAP)));
  let best = { columns: most, size: 0 };
  for (let columns = 1; columns <= most; columns += 1) {
    const size = letters(space, columns, Math.max(1, count));
    if (size >= best.size && (columns <= count || columns === 1)) best = { columns, size };
  }
  const fits = best.size >= LEAST;
  const size = fits ? best.size : LEAST;
  const rows = fits
    ? Math.ceil(Math.max(1, count) / best.columns)
    : Math.max(1, Math.floor(space.height / (LEAST * HIGH + GAP)));
  return { columns: best.columns, rows, size, high: Math.min(space.height / rows - GAP, size * TALLEST) };
}

/** How high what stands below the tiles is, with a gap and the padding of the wall. */
function below() {
  return 20 + find(document, ".wall-foot").offsetHeight + find(document, ".site-foot").offsetHeight;
}

function lay() {
  const box = byId("tiles");
  box.dataset.below = String(below());
  order = [...news.boards.values()].sort(byTime(SHORT));
  const { columns, rows, size, high } = room(order.length);
  const all = columns * rows;
  // Who is short of time stands on every page, in its first row at most, and leaves a place for the others.
  const pinned = order
    .filter((board) => board.rank(SHORT) < 2)
    .slice(0, order.length > all ? Math.min(columns, all - 1) : 0);
  const others = order.slice(pinned.length);
  const each = all - pinned.length;
  const pages = innerWidth < NARROW ? 1 : Math.max(1, Math.ceil(others.length / each));
  page = (page + pages) % pages;
  const shown = [...pinned, ...others.slice(page * each, (page + 1) * each)];
  box.style.setProperty("--columns", String(columns));
  box.style.setProperty("--letters", `${size}px`);
  box.style.setProperty("--high", `${high}px`);
  for (const board of shown) {
    if (tiles.has(board.board)) tiles.get(board.board).show(board);
    else tiles.set(board.board, new Tile(board, SHORT));
  }
  fill(
    box,
    shown.map((board) => tiles.get(board.board).element),
  );
  const seen = new Set(shown.map(({ board }) => board));
  for (const name of tiles.keys()) if (!seen.has(name)) tiles.delete(name);
  byId("empty").hidden = order.length > 0 || news.number < 0;
  byId("more").hidden = !(innerWidth < NARROW && order.length > MOST);
  byId("turn").hidden = pages < 2;
  byId("page").textContent = say("hall.wall.of", { number: page + 1, count: pages });
  countStates();
}

function countStates() {
  const counts = new Map();
  for (const { state, stale } of order)
    for (const each of stale ? [state, "stale"] : [state]) counts.set(each, (counts.get(each) ?? 0) + 1);
  const told = [...STATES, "stale"].filter((state) => counts.has(state));
  const key = told.map((state) => `${state}${counts.get(state)}`).join();
  if (byId("counts").dataset.told === key) return;
  byId("counts").dataset.told = key;
  byId("counts").replaceChildren(
    ...told.map((state) =>
      html(
        "li",
        { "data-state": state },
        signOf(state),
        html("b", { text: counts.get(state) }),
        ` ${state === "stale" ? say("hall.stale") : say(`hall.state.${state}`)}`,
      ),
    ),
  );
}

/** One tournament after the other, a page each. */
function tellRound() {
  const playing = rounds.filter(({ round }) => round > 0);
  byId("round").hidden = playing.length === 0;
  const told = playing[page % Math.max(1, playing.length)];
  byId("results").hidden = !told?.results.length;
  if (!told) return;
  main.dataset.tournament = told.name;
  byId("round-title").textContent =
    `${told.title} · ${say("hall.wall.round", { number: told.round, count: told.rounds })}`;
  byId("round-state").textContent = told.waiting
    ? say("hall.wall.waiting", { number: told.waiting, count: told.tables })
    : say("hall.wall.complete");
  byId("round-disputed").hidden = !told.disputed;
  byId("round-disputed").textContent = say("hall.wall.disputed", { number: told.disputed });
  byId("results-list").replaceChildren(
    ...told.results.map(({ first, second, result, places }) =>
      places
        ? html(
            "li",
            {},
            ...places.flatMap(([place, name]) => [html("b", { text: `${place}.` }), html("span", { text: name })]),
          )
        : html("li", {}, html("span", { text: first }), html("b", { text: result }), html("span", { text: second })),
    ),
  );
}

function countRound() {
  const clock = news.clocks[main.dataset.tournament];
  byId("round-clock").hidden = !clock || byId("round").hidden;
  if (!clock) return;
  const left = clock.left_ms - (clock.runs ? performance.now() - clock.heard : 0);
  byId("round-clock").dataset.runs = clock.runs ? "yes" : "no";
  const words = left <= 0 ? "hall.wall.clock.over" : clock.runs ? "hall.wall.clock" : "hall.wall.clock.stands";
  byId("round-clock-words").textContent = say(words);
  byId("round-clock-time").textContent =
    left <= 0 ? `+${spoken(Math.max(10000, -left))}` : spoken(Math.max(10000, left));
}

function turn(pages) {
  page += pages;
  turned = performance.now();
  sorted = -Infinity;
  tellRound();
}

function frame(at) {
  requestAnimationFrame(frame);
  if (at - drawn < FRAME) return;
  drawn = at;
  if (!isHeld && at - turned > TURN) turn(1);
  if (at - sorted > SORT) {
    sorted = at;
    lay();
  } else if (main.dataset.live === "yes") for (const tile of tiles.values()) tile.run();
  countRound();
}

byId("back").addEventListener("click", () => turn(-1));
byId("next").addEventListener("click", () => turn(1));
byId("hold").addEventListener("click", () => {
  isHeld = !isHeld;
  byId("hold").setAttribute("aria-pressed", isHeld ? "true" : "false");
  byId("hold").textContent = say(isHeld ? "hall.wall.go" : "hall.wall.hold");
  turned = performance.now();
});
offerFullScreen(byId("full"));
document.addEventListener("keydown", (event) => {
  const { key } = event;
  if (hit(event, "input, select, textarea")) return;
  if (key === "ArrowRight") turn(1);
  else if (key === "ArrowLeft") turn(-1);
});
addEventListener("resize", () => {
  sorted = -Infinity;
});
const around = new ResizeObserver(() => {
  sorted = -Infinity;
}); // a line more above or below leaves the tiles less room
for (const part of findAll(document, ".wall-top, .wall-round, .wall-foot, .site-foot")) around.observe(part);
requestAnimationFrame(frame);
