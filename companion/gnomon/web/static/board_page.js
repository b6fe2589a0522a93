// Run the players' page: show the board, and send what players enter.

import { byId, optional, put } from "./dom.js";
import { nameOf, onTurn } from "./banner.js";
import { BoardView } from "./board_view.js";
import { showDemonstration } from "./demonstration.js";
import { post } from "./post.js";
import { listen } from "./stream.js";
import { say } from "./words.js";

const may = byId("main").dataset.may === "yes";
const LASTS = 8000; // ms that a refusal stays

/** @type {ReturnType<typeof setTimeout> | undefined} */
let hides;
function complain(sentence) {
  const box = byId("toast");
  box.textContent = sentence;
  box.hidden = false;
  clearTimeout(hides);
  hides = setTimeout(() => {
    box.hidden = true;
  }, LASTS);
}

async function send(path, body) {
  const answer = await post(path, body);
  if (!answer.ok) complain(answer.error ?? say("players.not_sent"));
  return answer.ok;
}

const controls = await bench();
const begin = () => [{ label: say("players.new.title"), href: byId("begin", HTMLAnchorElement).href }];
/** How many turns were made when somebody was shown what to do: two who do it at once do it once. */
const after = ({ plies }) => ({ plies: `${plies.length}` });
const nature = (key) => (game) => [{ label: say(key), run: () => send("/board/throw", after(game)) }];
const done = (game) => [
  {
    label: say("opponent.confirm"),
    run: () => send("/board/turn", { text: game.opponent.announced.text, ...after(game) }),
  },
];
const answerDraw = (accepted) => send("/board/answer-draw", { player: view.game.talk.draw.asked, accepted });
const answersToADraw = () => [
  { label: say("opponent.draw.accept"), run: () => answerDraw("yes") },
  { label: say("opponent.draw.decline"), quiet: true, run: () => answerDraw("no") },
];
const offers = may
  ? {
      new: begin,
      answer_draw: answersToADraw,
      carried_out: done,
      throw: nature("players.throw"),
      draw: nature("players.draw"),
    }
  : { new: () => [{ label: say("players.sign_in"), href: `/sign-in?back=${location.pathname}` }] };
const answer = may ? (choice) => send("/board/answer", { choice }) : null;
const view = await BoardView.open({ offers, answer, controls });
await controls?.start(view);

/** The controls of the bench, where this page has them. */
async function bench() {
  const box = optional(document, "#controls");
  if (!box) return null;
  const { Controls } = await import("./controls.js");
  return new Controls(box, complain);
}

function hear(news) {
  view.hear(news);
  showDemonstration(news);
  put(byId("what"), news.game ? say(`game.${news.game}`) : "");
  const hand = optional(document, "#by-hand");
  if (!hand) return;
  hand.hidden = !news.game || news.game === "clock" || Boolean(news.outcome);
  if (optional(document, "#help")) {
    takeBack(news);
    help(news);
  }
  const moves = (news.moves ?? []).join("\n");
  if (hand.dataset.moves === moves) return;
  hand.dataset.moves = moves;
  byId("legal").replaceChildren(...(news.moves ?? []).map((text) => new Option(text, text)));
}

optional(document, "#turn-form")?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const field = byId("turn-text", HTMLInputElement);
  if (await send("/board/turn", { text: field.value })) field.value = "";
});

/** Who may be helped, and who may resign: a person on turn; against an engine, the person who plays it. */
function help(game) {
  const players = game.players?.map(({ player }) => player) ?? Object.keys(game.rings_left ?? {});
  const isOpen = Boolean(game.game) && game.game !== "clock" && !game.outcome && !game.opponent?.exhibition;
  byId("help").hidden = !isOpen;
  if (!isOpen) return;
  const engine = game.opponent?.on_turn ? onTurn(game) : players.find((each) => each !== onTurn(game));
  const resigns = game.opponent ? players.find((each) => each !== engine) : onTurn(game);
  const isUnaided = game.exercise || game.opponent?.on_turn || game.opponent?.distant;
  byId("hint", HTMLButtonElement).disabled = Boolean(isUnaided || game.is_natures || game.paused);
  byId("threat", HTMLButtonElement).disabled = byId("hint", HTMLButtonElement).disabled;
  byId("resigns", HTMLInputElement).value = resigns ?? "";
  byId("resign-form").hidden = players.length !== 2 || !resigns || Boolean(game.exercise);
  put(byId("resign-who"), resigns ? say("opponent.resign.who", { player: nameOf(game, resigns) }) : "");
  const offerer = game.talk?.may_offer ?? "";
  byId("offers-draw", HTMLInputElement).value = offerer;
  byId("draw-form").hidden = !offerer;
  put(byId("draw-who"), offerer ? say("opponent.draw.who", { player: nameOf(game, offerer) }) : "");
  if (byId("hinted").dataset.plies !== String(game.plies?.length)) forgetHint();
}

/** @type {string[]} */
let hintSteps = []; // those of the last hint that have not been shown

function forgetHint() {
  hintSteps = [];
  put(byId("hinted"), "");
  put(byId("hint"), say("opponent.show_hint"));
}

/** The answer of an engine, which takes some seconds: meanwhile nothing else is asked of it. */
async function patiently(to) {
  const asked = [byId("hint", HTMLButtonElement), byId("threat", HTMLButtonElement)];
  for (const button of asked) button.disabled = true;
  const told = await post(to, {});
  for (const button of asked) button.disabled = false;
  return told;
}

/** A hint comes step by step: a player who sees the rest for themselves after the first asks for no more. */
optional(document, "#hint")?.addEventListener("click", async () => {
  const box = byId("hinted");
  const before = hintSteps.length ? [box.textContent ?? ""] : [];
  if (!hintSteps.length) {
    box.dataset.plies = String(shown);
    put(box, say("opponent.hinting"));
    const advice = await patiently("/board/hint");
    if (!advice.ok) {
      forgetHint();
      complain(advice.error ?? say("players.not_sent"));
      return;
    }
    hintSteps = [...advice.steps];
  }
  put(box, [...before, hintSteps.shift()].join(" "));
  put(byId("hint"), say(hintSteps.length ? "opponent.hint_more" : "opponent.show_hint"));
});

optional(document, "#threat")?.addEventListener("click", async () => {
  forgetHint();
  const box = byId("hinted");
  box.dataset.plies = String(shown);
  put(box, say("opponent.threat_sought"));
  const told = await patiently("/board/threat");
  put(box, told.ok ? told.threat : "");
  if (!told.ok) complain(told.error ?? say("players.not_sent"));
});

optional(document, "#resign-form")?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const player = byId("resigns", HTMLInputElement).value;
  if (await send("/board/resign", { player })) byId("help", HTMLDetailsElement).open = false;
});

optional(document, "#draw-form")?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const player = byId("offers-draw", HTMLInputElement).value;
  if (await send("/board/offer-draw", { player })) byId("help", HTMLDetailsElement).open = false;
});

let shown = 0; // how many turns the page showed when the last one was offered to be taken back

function takeBack({ game, opponent, plies = [] }) {
  // Against an engine one's own last turn is taken back, and the engine's answer with it.
  const last = opponent?.back
    ? plies.find(({ number }) => number === opponent.back)
    : (plies.findLast(({ player }) => player !== "nature") ?? plies.at(-1));
  shown = plies.length;
  byId("take-back").hidden = !game || game === "clock" || !last || Boolean(opponent?.distant);
  put(byId("take-back-hint"), say(opponent ? "opponent.take_back" : "players.take_back.hint"));
  put(byId("take-back-turn"), last?.sentence ?? "");
}

optional(document, "#take-back-form")?.addEventListener("submit", async (event) => {
  event.preventDefault();
  if (await send("/board/take-back", { plies: String(shown) })) byId("take-back", HTMLDetailsElement).open = false;
});

listen(`/board/events?language=${document.documentElement.lang}`, { summary: hear }, (live) => {
  view.live(live);
  byId("live").dataset.live = live ? "yes" : "no";
  put(byId("live-text"), say(live ? "page.live" : "page.not_live"));
});
