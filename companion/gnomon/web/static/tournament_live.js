// Keep a page of a tournament live: ask for it again, and put in the parts that changed.

import { find, findAll, optional } from "./dom.js";
import { setClock } from "./round_clock.js";
import { listen } from "./stream.js";

const POLL = 20000; // ms between two looks at a page of files, which tells nothing by itself
const SCATTER = 1500; // ms over which all spectators of a hall ask again, so that they do not ask at once

const main = find(document, "main.tour");
const mark = optional(document, ".live-mark");
const follows = main.dataset.follows ?? "";
let seen = main.dataset.mark; // what was told may have changed between this page and its stream
/** @type {ReturnType<typeof setTimeout> | undefined} */
let asked;
let isAsking = false;
let leaves = false; // a form was sent: the page that answers comes, and nothing may lead elsewhere meanwhile
addEventListener("submit", (event) => {
  leaves = !event.defaultPrevented;
});
addEventListener("pageshow", () => {
  leaves = false;
});

document.documentElement.classList.add("scripted");
optional(document, ".tour-nav [aria-current]")?.scrollIntoView({ inline: "nearest", block: "nearest" });

/** Put in what has changed; a part in which somebody writes waits until they have left it. */
export async function refresh() {
  if (isAsking) return later(300);
  isAsking = true;
  try {
    const answer = await fetch(main.dataset.page || location.href.split("#")[0], { headers: { Accept: "text/html" } });
    if (answer.ok) put(new DOMParser().parseFromString(await answer.text(), "text/html"));
  } catch {
    // not live: the stream says so, and comes back with other news
  } finally {
    isAsking = false;
  }
}

function put(fresh) {
  if (leaves) return;
  const page = optional(fresh, "main[data-round]");
  if (page && page.dataset.round !== main.dataset.round && !isWritten(main)) {
    location.assign(page.dataset.page ?? location.href); // another round: nothing of the page is as it was
    return;
  }
  for (const old of findAll(document, "[data-part][id]")) {
    const now = fresh.getElementById(old.id);
    if (!now || old.outerHTML === now.outerHTML) continue;
    if (isInUse(old) && !yields(old)) old.addEventListener("focusout", () => later(200), { once: true });
    else if (!isWritten(old)) replace(old, document.importNode(now, true));
  }
  document.dispatchEvent(new CustomEvent("fresh"));
}

/** What somebody has opened stays open; where the focus was in it, it hears so by `refocus`. */
function replace(old, now) {
  const hadFocus = old.contains(document.activeElement);
  const opened = findAll(old, "details", HTMLDetailsElement).map((part) => part.open);
  findAll(now, "details", HTMLDetailsElement).forEach((part, number) => {
    if (opened[number]) part.open = true;
  });
  old.replaceWith(now);
  if (hadFocus) now.dispatchEvent(new CustomEvent("refocus", { bubbles: true }));
}

const isInUse = (part) => {
  const active = document.activeElement;
  return part.contains(active) && Boolean(active?.matches("input, select, textarea"));
};
/** A field that waits for a result has the focus without anybody writing in it: what is new goes before. */
const yields = (part) => document.activeElement?.matches(".result") && !isWritten(part);
const isWritten = (part) =>
  findAll(part, "input:not([type=hidden])", HTMLInputElement).some((field) => field.value !== field.defaultValue);

function later(wait) {
  clearTimeout(asked);
  asked = setTimeout(refresh, wait);
}

/** Hear of news, and ask when there are some. */
function follow(stream) {
  listen(
    stream,
    {
      told: (now) => {
        setClock(now.clock);
        if (now[follows] !== seen) later(follows === "desk" ? 50 : Math.random() * SCATTER);
        seen = now[follows];
      },
    },
    (isLive) => {
      main.dataset.live = isLive ? "yes" : "no";
      if (mark) mark.hidden = false;
      if (!isLive) seen = ""; // what was missed shows when the stream is back
    },
  );
}

/** Look again and again, while anybody sees the page; all who look on are not to do so at once. */
function look() {
  setTimeout(look, POLL + Math.random() * SCATTER);
  if (!document.hidden) refresh();
}

if (main.dataset.stream) follow(main.dataset.stream);
else setTimeout(look, POLL);
