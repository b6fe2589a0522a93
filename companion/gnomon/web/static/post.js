// Send an action, with the token that says that this page sent it.

import { optional } from "./dom.js";

/** The token of this page's forms; empty where nobody may change anything. */
export const csrf = optional(document, "meta[name=csrf]", HTMLMetaElement)?.content ?? "";

/** Send an action as JSON and answer `{status, ok, ...what came back}`; without a connection the status is 0. */
export async function post(path, body = {}) {
  try {
    const answer = await fetch(path, {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-CSRF-Token": csrf },
      body: JSON.stringify(body),
    });
    const said = await answer.json().catch(() => ({}));
    return { ...said, status: answer.status, ok: answer.ok };
  } catch {
    return { status: 0, ok: false };
  }
}
