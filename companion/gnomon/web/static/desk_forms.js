// Open the desk's forms, ask what they would change while they are filled in, and send them.

import { find, findAll, hit, html, optional } from "./dom.js";
import { csrf } from "./post.js";
import { say } from "./words.js";

const PAUSE = 180; // ms without a key before the board is asked what would change
const JSON_TYPE = { Accept: "application/json", "Content-Type": "application/x-www-form-urlencoded" };

export class Forms {
  /** `done(error)` is told what became of a correction; without an error it has been made. */
  constructor(main, { done }) {
    this.main = main;
    this.done = done;
    this.asked = new Map(); // form → what the board answered last, {seen} or {error}
    this.refusals = new Map(); // form → why its correction was not made, until something else is written
    this.waits = 0;
    main.addEventListener("submit", (event) => this.#submit(event));
    main.addEventListener("input", (event) => this.#changed(hit(event, ".act form", HTMLFormElement)));
    main.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || !(event.target instanceof HTMLSelectElement)) return; // elsewhere the browser does it
      event.preventDefault();
      event.target.form?.requestSubmit();
    });
    main.addEventListener("toggle", (event) => this.#toggled(event.target), true);
  }

  /** Open the form of an action with some fields filled in, ready to be written in. */
  open(name, values = {}) {
    const act = optional(document, `#act-${name}`, HTMLDetailsElement);
    if (!act) return false;
    const form = find(act, "form", HTMLFormElement);
    for (const [field, value] of Object.entries(values)) if (form.elements[field]) form.elements[field].value = value;
    this.filled = name;
    act.open = true;
    this.#enter(act, values);
    return true;
  }

  openByKey(key) {
    const act = findAll(this.main, ".act", HTMLDetailsElement).find((each) => each.dataset.key === key);
    return act ? this.open(act.dataset.do) : false;
  }

  close() {
    for (const act of findAll(this.main, ".act[open]", HTMLDetailsElement)) {
      act.open = false;
      find(act, "summary").focus();
    }
  }

  /** Take over fields that the server made again, but not those of the form that is open. */
  renew(fresh) {
    const acts = optional(document, "#acts");
    if (!acts || !fresh) return;
    const open = optional(acts, ".act[open]");
    const order = findAll(fresh, ".act, #act-none").map((each) => each.id);
    for (const old of findAll(acts, ".act")) {
      const again = optional(fresh, `#${old.id}`);
      if (!again) old.remove();
      else if (old !== open) old.replaceWith(again);
    }
    let before = find(acts, "h2");
    if (!order.includes("act-none")) optional(document, "#act-none")?.remove();
    for (const id of order) {
      const here = optional(document, `#${id}`) ?? find(fresh, `#${id}`);
      if (!here.isConnected || here.ownerDocument !== document) before.after(here);
      before = here;
    }
    if (open?.isConnected) this.#ask(find(open, "form", HTMLFormElement));
  }

  /** Do without asking what needs no asking. */
  async atOnce(name) {
    const answer = await send("/desk/do", { do: name });
    this.done(answer.error ?? "");
  }

  #toggled(act) {
    if (!(act instanceof HTMLDetailsElement) || !act.classList.contains("act") || !act.open) return;
    for (const other of findAll(this.main, ".act[open]", HTMLDetailsElement)) if (other !== act) other.open = false;
    if (this.filled !== act.dataset.do) this.#enter(act, {});
    this.filled = "";
  }

  #enter(act, values) {
    const form = find(act, "form", HTMLFormElement);
    const fields = /** @type {HTMLInputElement[]} */ (findAll(form, "input:not([type=hidden]), select, button"));
    const unsaid = fields.filter((field) => !(field.name in values) && field.name !== "why");
    const first =
      fields.find((field) => field.classList.contains("first")) ??
      unsaid.find((field) => field.type !== "radio" || field.checked) ??
      fields[0];
    first.focus();
    first.select?.();
    act.scrollIntoView({ block: "nearest" });
    this.#ask(form);
  }

  #changed(form) {
    if (!form) return;
    this.asked.delete(form);
    this.refusals.delete(form);
    clearTimeout(this.waits);
    this.waits = setTimeout(() => this.#ask(form), PAUSE);
  }

  async #ask(form) {
    clearTimeout(this.waits);
    const box = find(form, ".preview");
    if (!form.checkValidity() || !complete(form)) {
      this.asked.delete(form);
      box.replaceChildren(html("p", { class: "soft", text: say("arbiter.fill") }));
      return null;
    }
    const sent = fieldsOf(form);
    const answer = await send("/desk/ask", sent);
    if (JSON.stringify(sent) !== JSON.stringify(fieldsOf(form))) return null; // something else was written meanwhile
    this.asked.set(form, answer);
    const why = this.refusals.get(form);
    box.replaceChildren(...(why ? [refusal(why)] : []), ...told(answer));
    return answer;
  }

  async #submit(event) {
    const form = event.target;
    if (form.closest(".act")) {
      event.preventDefault();
      await this.#do(form);
    } else if (form.id === "at-once") {
      event.preventDefault();
      await this.atOnce(form.elements.do.value);
    } else if (form.classList.contains("sends")) {
      event.preventDefault();
      const answer = await send(form.getAttribute("action"), fieldsOf(form));
      this.done(answer.error ?? "");
    }
  }

  async #do(form) {
    if (form.dataset.busy) return;
    form.dataset.busy = "yes";
    this.refusals.delete(form);
    const act = form.closest(".act");
    const field = findAll(form, ":focus", HTMLElement)[0];
    field?.blur(); // what is pressed while the board answers belongs to the desk, not to a field that is done with
    try {
      const before = this.asked.get(form);
      const asked = before ?? (await this.#ask(form));
      const answer = asked && !asked.error ? await send("/desk/do", { ...fieldsOf(form), seen: asked.seen }) : asked;
      if (!answer || answer.error) {
        if (answer !== asked) await this.#refused(form, answer.error);
        if (act.open) field?.focus();
        return;
      }
      this.asked.delete(form);
      form.reset();
      find(form, ".preview").replaceChildren();
      act.open = false;
      await this.done();
    } finally {
      delete form.dataset.busy;
    }
  }

  /** Say why a correction was not made: in its form, or above all if another one has been opened meanwhile. */
  async #refused(form, why) {
    if (!form.closest(".act").open) {
      this.done(why);
      return;
    }
    this.refusals.set(form, why);
    await this.#ask(form);
  }
}

function complete(form) {
  const time = form.elements.time;
  if (time?.classList.contains("optional"))
    return ["time", "moves", "period", "spells"].some((name) => form.elements[name]?.value.trim());
  return !time || time.value.trim() !== "" || form.elements.how?.value === "stop";
}

function fieldsOf(form) {
  return Object.fromEntries(new FormData(form));
}

async function send(path, fields) {
  try {
    const body = new URLSearchParams({ ...fields, csrf });
    const answer = await fetch(`${path}?language=${document.documentElement.lang}`, {
      method: "POST",
      headers: JSON_TYPE,
      body,
    });
    const said = await answer.json();
    return answer.ok ? said : { error: said.error ?? say("arbiter.not_sent") };
  } catch {
    return { error: say("arbiter.not_sent") };
  }
}

function refusal(text) {
  return html("p", { class: "wrong", text });
}

/** What would change, what would follow, and what the board would have to do, as the page shows it. */
function told({ error, changes, rulings, repairs }) {
  if (error) return [refusal(error)];
  const list = (key, items) =>
    items.length ? [html("h3", { text: say(key) }), html("ul", {}, ...items.map((text) => html("li", { text })))] : [];
  const row = (cell, ...texts) =>
    html(
      "tr",
      {},
      ...texts.map((text, number) => html(number ? cell : "th", { text, scope: cell === "th" ? "col" : "row" })),
    );
  const table = html(
    "table",
    {},
    html("thead", {}, row("th", say("arbiter.fact"), say("arbiter.before"), say("arbiter.after"))),
    html("tbody", {}, ...changes.map((each) => row("td", each.what, each.before, each.after))),
  );
  for (const cell of findAll(table, "td")) cell.removeAttribute("scope");
  return [
    changes.length ? table : html("p", { text: say("arbiter.changes.none") }),
    ...list("arbiter.follows", rulings),
    ...list("arbiter.repairs", repairs),
  ];
}
