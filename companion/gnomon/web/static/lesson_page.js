// Answer a step of a lesson by touching its picture; an answer is an address, and the page there judges it.

import "./lesson_kept.js";

import { byId, find, findAll, html, optional } from "./dom.js";
import { FINGERS } from "./fingers.js";
import { stepsDone } from "./progress.js";
import { TablePicture } from "./table_picture.js";
import { say } from "./words.js";

const main = byId("main");
const game = JSON.parse(main.dataset.game ?? "{}");
const { lesson = "", right = "no" } = main.dataset;

const done = stepsDone(lesson);
for (const link of findAll(document, ".lesson-steps a", HTMLElement)) {
  if (!done.has(link.dataset.name ?? "")) continue;
  link.dataset.done = "yes";
  link.setAttribute("aria-label", `${link.getAttribute("aria-label")}, ${say("learn.done")}`);
}
if (location.hash === "#verdict") byId("verdict").focus({ preventScroll: true });

const Hand = FINGERS[game.touch];
if (right === "no" && Hand && Object.keys(game.places).length) play(new Hand());

function play(fingers) {
  const gesture = optional(document, "#gesture", HTMLElement);
  if (gesture) gesture.hidden = false;
  const frame = byId("picture");
  const source = new XMLSerializer().serializeToString(find(frame, "svg", SVGSVGElement));
  const picture = new TablePicture(frame, "", touched);
  const places = { ...fingers.more(game.places), ...game.places };
  picture.put({ game: game.game, source, places, corners: Object.values(game.places), edges: game.edges });
  refresh();

  function touched(place) {
    const wish = fingers.touch(place, game);
    const text = wish?.enter ?? wish?.ask;
    if (text) answer(text);
    else refresh();
  }

  function refresh() {
    picture.mark(game.game, fingers.marks(game), (place) => fingers.describe(place, game));
    byId("hint").textContent = fingers.hint(game);
    byId("actions").replaceChildren(...fingers.actions(game).map(button));
  }

  function button({ label, enter, run }) {
    const act = () => {
      if (enter) answer(enter);
      else {
        run();
        refresh();
      }
    };
    const text = label === enter ? (game.said[enter] ?? label) : label;
    return html("button", { type: "button", class: enter ? "action" : "action quiet", text, onclick: act });
  }
}

function answer(text) {
  byId("answer", HTMLInputElement).value = text;
  byId("answer-form", HTMLFormElement).submit();
}
