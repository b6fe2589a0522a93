// The only module that opens the event stream and knows whether what is shown is live.

const SILENCE = 5000; // ms without news after which the page says so; the board speaks every second
const RETRY = 1000;

/** Listen for good: `on` has one listener an event; `live(true or false)` follows the connection. */
export function listen(address, on, live) {
  let source = null;
  let silence = 0;
  let again = 0;

  const heard = () => {
    clearTimeout(silence);
    silence = setTimeout(lost, SILENCE);
    live(true);
  };
  const lost = () => {
    clearTimeout(silence);
    clearTimeout(again);
    live(false);
    source?.close();
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
  open();
}
