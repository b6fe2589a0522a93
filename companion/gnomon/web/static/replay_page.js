// Replay a written game turn by turn: by slider, by keys and by itself.

import { byId, find, findAll, html, hit, optional, put } from "./dom.js";
import { say } from "./words.js";

const main = byId("main");
const here = main.dataset.game ?? location.pathname; // in a site of files the page itself is all there is
const { pictures: whole } = main.dataset;
const last = Number(main.dataset.last);
const language = document.documentElement.lang;
/** @type {Record<string, (frame: {took_seconds: number}) => number>} */
const PACES = {
  steady: () => 1500,
  quick: () => 500,
  played: (frame) => Math.min(12000, Math.max(400, frame.took_seconds * 1000)),
};

/** The texts of all positions, and their pictures where the page brings them along. */
async function load() {
  const brought = optional(document, "#frames");
  if (brought && whole) return [JSON.parse(brought.textContent ?? "[]"), await fetchJson(whole)];
  return [(await fetchJson(`${here}/frames.json?language=${language}`)) ?? [], null];
}

async function fetchJson(address) {
  const answer = await fetch(address);
  return answer.ok ? answer.json() : null;
}

const [frames, drawn] = await load();
const slider = byId("slider", HTMLInputElement);
const more = optional(document, ".take details", HTMLDetailsElement);
let number = Number(main.dataset.number);
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;
let wanted = number; // the picture that was asked for last
let runs = false; // it plays by itself

/** Show one position; `remember` puts it into the address, so that a link leads to it. */
async function show(to, { remember = true } = {}) {
  number = Math.min(last, Math.max(0, to));
  const frame = frames[number];
  figures(frame);
  if (remember) history.replaceState(null, "", `${here}?ply=${number}`);
  await picture(number);
}

function figures(frame) {
  slider.value = String(number);
  slider.setAttribute("aria-valuetext", `${frame.title} ${frame.text}`);
  put(byId("said-title"), frame.title);
  put(byId("said-sentence"), frame.sentence);
  put(byId("figure-at"), frame.clock);
  put(byId("figure-took"), frame.took || "–");
  put(byId("figure-score"), frame.score);
  byId("glasses").hidden = frame.glasses.length === 0;
  byId("glasses").replaceChildren(...frame.glasses.map(sand));
  byId("dials").replaceChildren(...frame.dials.map(dial));
  byId("timer").hidden = !frame.timer;
  put(byId("timer-left"), frame.timer);
  mark();
  links();
}

function sand({ player, name, space, part, left, is_out: isOut }) {
  const place = ["red", "black"].indexOf(player) + 1;
  return html(
    "li",
    { class: isOut ? "sand out" : "sand" },
    html("span", { class: `sign sign-${place} of-${player}`, "aria-hidden": "true" }),
    html("span", { class: "unseen", text: name }),
    html("b", { text: space }),
    part === null ? html("span") : html("meter", { min: 0, max: 1, value: part, "aria-hidden": "true" }),
    html("span", { class: "left", text: isOut ? say("watching.glass.out") : left }),
  );
}

/** One side of a match clock; the signs are those that stand beside the names. */
function dial({ player, name, text, runs: isRunning, flag }, place) {
  return html(
    "li",
    { class: isRunning ? "runs" : flag ? "flag" : "" },
    html("span", { class: `sign sign-${place + 1} of-${player}`, "aria-hidden": "true" }),
    html("span", { class: "unseen", text: name }),
    html("b", { text }),
    html("span", { class: "fallen", text: flag }),
  );
}

/** Mark where we are in the lists, and keep it in view without moving the page. */
function mark() {
  for (const link of findAll(document, "#turns a")) {
    const isHere = Number(link.dataset.ply) === number;
    if (isHere) {
      link.setAttribute("aria-current", "true");
      reveal(byId("turns"), link);
    } else link.removeAttribute("aria-current");
  }
  const ruled = findAll(document, "#rulings a");
  for (const link of ruled) link.classList.toggle("now", Number(link.dataset.ply) === number);
  const first = ruled.find((link) => link.classList.contains("now"));
  if (first) reveal(byId("rulings"), first);
}

function reveal(box, item) {
  const [top, bottom] = [item.offsetTop, item.offsetTop + item.offsetHeight];
  if (top < box.scrollTop) box.scrollTop = top - 8;
  else if (bottom > box.scrollTop + box.clientHeight) box.scrollTop = bottom - box.clientHeight + 8;
}

function links() {
  const link = optional(document, "#link", HTMLInputElement);
  if (link) link.value = `${location.origin}${here}?ply=${number}`;
  const steps = { first: 0, back: Math.max(0, number - 1), on: Math.min(last, number + 1), last };
  for (const [id, to] of Object.entries(steps)) {
    byId(id, HTMLAnchorElement).href = `${here}?ply=${to}`;
    byId(id).setAttribute("aria-disabled", String(to === number));
  }
  for (const file of findAll(document, '.file[data-position="yes"]', HTMLAnchorElement))
    file.href = `${here}/files/${file.dataset.format}?language=${language}&ply=${number}`;
}

/** Where the picture of a position is: with the others, whose lines they share, or at an address of its own. */
function pictureOf(which) {
  if (!drawn) return `${here}/position.svg?ply=${which}&language=${language}`;
  const lines = [];
  const spans = drawn.frames[which];
  for (let at = 0; at < spans.length; at += 2) lines.push(...drawn.lines.slice(spans[at], spans[at] + spans[at + 1]));
  return `data:image/svg+xml,${encodeURIComponent(lines.join("\n"))}`;
}

/** The picture changes when it is there, so that nothing flickers; of several that are asked for the last one counts. */
async function picture(which) {
  wanted = which;
  const image = new Image();
  image.src = pictureOf(which);
  await image.decode().catch(() => null);
  if (wanted !== which) return;
  const shown = byId("position", HTMLImageElement);
  shown.src = image.src;
  shown.alt = `${frames[which].title}. ${frames[which].sentence} ${frames[which].score}`.trim();
  if (which < last && !drawn) new Image().src = pictureOf(which + 1);
  if (more?.open) state();
}

async function state() {
  const position = await fetch(`${here}/position.json?ply=${number}`).catch(() => null);
  if (position?.ok) put(byId("state"), JSON.stringify(await position.json()));
}

function stop() {
  clearTimeout(timer);
  switchTo(false);
}

function play() {
  switchTo(true);
  const next = () => {
    timer = setTimeout(
      async () => {
        await show(number + 1);
        if (runs && number < last) next();
        else stop();
      },
      PACES[byId("pace-choice", HTMLSelectElement).value](frames[Math.min(last, number + 1)]),
    );
  };
  if (number === last) show(0).then(() => runs && next());
  else next();
}

function switchTo(is) {
  runs = is;
  const button = byId("play");
  const words = (is ? button.dataset.pause : button.dataset.play) ?? "";
  button.setAttribute("aria-label", words);
  button.title = words;
  button.classList.toggle("playing", is);
}

const toggle = () => (runs ? stop() : play());
const go = (to) => {
  stop();
  show(to);
};
/** @type {Map<string, () => void>} */
const KEYS = new Map([
  ["ArrowLeft", () => go(number - 1)],
  ["ArrowRight", () => go(number + 1)],
  ["Home", () => go(0)],
  ["End", () => go(last)],
  [" ", toggle],
]);
const TYPED = "input:not([type=range]), select, textarea, summary, pre";
const isOn = ({ target }, selector) => target instanceof Element && target.matches(selector);

if (frames.length === last + 1 && (drawn || !whole)) {
  for (const id of ["play", "pace", "keys"]) byId(id).hidden = false;
  find(document, ".controls").hidden = false;
  for (const link of findAll(document, "a[data-ply]", HTMLAnchorElement)) link.href = `${here}?ply=${link.dataset.ply}`;
  const copy = optional(document, "#copy");
  if (copy) copy.hidden = !navigator.clipboard;
  byId("play").addEventListener("click", toggle);
  slider.addEventListener("input", () => go(Number(slider.value)));
  const steps = { first: () => 0, back: () => number - 1, on: () => number + 1, last: () => last };
  for (const [id, to] of Object.entries(steps)) {
    byId(id).addEventListener("click", (event) => {
      event.preventDefault();
      go(to());
    });
  }
  for (const list of ["turns", "rulings"]) {
    byId(list).addEventListener("click", (event) => {
      const link = hit(event, "a[data-ply]");
      if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      go(Number(link.dataset.ply));
    });
  }
  addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || isOn(event, TYPED)) return;
    if (isOn(event, "a, button") && event.key === " ") return;
    if (isOn(event, "input[type=range]") && event.key !== " ") return;
    const run = KEYS.get(event.key);
    run?.();
    if (run) event.preventDefault();
  });
  copy?.addEventListener("click", async () => {
    await navigator.clipboard.writeText(byId("link", HTMLInputElement).value);
    put(copy, copy.dataset.copied ?? "");
  });
  more?.addEventListener("toggle", state);
  links();
  mark();
  const asked = new URLSearchParams(location.search).get("ply");
  if (drawn && asked !== null && Number(asked) !== number) show(Number(asked), { remember: false });
}
