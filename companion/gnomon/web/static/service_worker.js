// Answer when the board is out of reach: with the shell that says so, and with nothing else.

// The types of a worker and those of a page exclude each other.
const worker = /** @type {any} */ (self);

const SHELF = "gnomon-shell-2";
const SHELL = "/not-live";
const KEPT = [SHELL, "/static/base.css", "/static/not_live.css", "/static/not_live.js"];

worker.addEventListener("install", (event) => {
  event.waitUntil(
    caches
      .open(SHELF)
      .then((shelf) => shelf.addAll(KEPT))
      .then(() => worker.skipWaiting()),
  );
});

worker.addEventListener("activate", (event) => {
  const old = (names) => names.filter((name) => name !== SHELF);
  event.waitUntil(
    caches
      .keys()
      .then((names) => Promise.all(old(names).map((name) => caches.delete(name))))
      .then(() => worker.clients.claim()),
  );
});

worker.addEventListener("fetch", (event) => {
  const { request } = event;
  const path = new URL(request.url).pathname;
  if (request.mode === "navigate") {
    event.respondWith(fetch(request).catch(() => caches.match(SHELL)));
  } else if (request.method === "GET" && KEPT.includes(path)) {
    event.respondWith(fetch(request).catch(() => caches.match(path)));
  }
});
