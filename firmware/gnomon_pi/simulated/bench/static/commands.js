// Send commands; each answers true, or has the board's sentence shown and answers false.

import { post } from "/static/post.js";
import { say } from "/static/words.js";

let complain = () => {};
let seen = () => {};

/** Say where a refusal is shown, and who is told of the table after a deed of hands. */
export function attend({ refused, table }) {
  complain = refused;
  seen = table;
}

/** POST one command as JSON. */
export async function send(address, command) {
  const { status, ok, ...said } = await post(address, command);
  if (ok && said.version) seen(said);
  if (ok) return true;
  complain(status ? (said.error ?? say("bench.no_reason", { status })) : say("bench.no_answer"));
  return false;
}

// Hands are one after the other: a glass must be lifted before it is put down.
let last = Promise.resolve(true);

/** Something done by hand at the table, after what was done before it. */
export function hands(verb, rest = {}) {
  last = last.then(() => send("hands", { verb, ...rest }));
  return last;
}
