// Look at a file of a site again and again, and tell how old it is.

const EACH = 2000; // ms between two looks
const LATEST = 60000; // ms after which a file that did not change says nothing of now
const MOST = 30000; // ms between two looks at a file that does not change

/**
 * `hear(answer, age)` is given the file each time it has changed, and for how many milliseconds it has stood there, as
 * the server says; `live(true or false)` says whether it is as of now. While nobody sees the page nothing is asked.
 * @param {string} address
 * @param {(answer: Response, age: number) => unknown} hear
 * @param {(live: boolean) => void} live
 */
export function poll(address, hear, live) {
  let known = "";
  let pause = EACH;

  const look = async () => {
    setTimeout(look, pause);
    if (document.hidden) return;
    try {
      const answer = await fetch(address, { cache: "no-cache" });
      if (!answer.ok) throw new Error(`${answer.status}`);
      const [now, written] = ["date", "last-modified"].map((name) => Date.parse(answer.headers.get(name) ?? ""));
      const age = now >= written ? now - written : 0;
      const mark = answer.headers.get("etag") ?? answer.headers.get("last-modified") ?? "";
      live(age < LATEST);
      pause = mark && mark === known ? Math.min(MOST, pause * 1.5) : EACH;
      if (!mark || mark !== known) await hear(answer, age);
      known = mark;
    } catch {
      live(false);
      pause = Math.min(MOST, pause * 1.5);
    }
  };
  look();
}
