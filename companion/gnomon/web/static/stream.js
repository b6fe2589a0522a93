// Open the event stream, and tell whether what is shown is live.

const SILENCE = 5000; // ms without news after which the page says so; the board speaks every second
const RETRY = 1000;
const UNSEEN = 15000; // ms out of sight after which a page rests: a browser has six connections to one board

/**
 * Listen for good: `on` has one listener an event; `live(true or false)` follows the connection.
 *
 * A page that nobody sees lets its connection go, and takes it up again when it is looked at; not while `stays()`.
 */
export function listen(address, on, live, stays = () => false) {
  let source = null;
  let silence = 0;
  let again = 0;
  let unseen = 0;
  let isResting = false;

  const heard = () => {
    clearTimeout(silence);
    silence = setTimeout(lost, SILENCE);
    live(true);
  };
  const stop = () => {
    clearTimeout(silence);
    clearTimeout(again);
    live(false);
    source?.close();
  };
  const lost = () => {
    stop();
    again = setTimeout(open, RETRY);
  };
  const open = () => {
    source = new EventSource(address);
    silence = setTimeout(lost, SILENCE);
    source.onerror = lost;
    for (const [name, listener] of Object.entries(on)) {
      source.addEventListener(name, (event) => {
        heard();
        listener(JSON.parse(event.data));
      });
    }
  };
  const rest = () => {
    if (stays()) return;
    stop();
    isResting = true;
  };
  const look = () => {
    clearTimeout(unseen);
    if (document.hidden) unseen = setTimeout(rest, UNSEEN);
    else if (isResting) {
      isResting = false;
      open();
    }
  };
  document.addEventListener("visibilitychange", look);
  open();
  look();
}
