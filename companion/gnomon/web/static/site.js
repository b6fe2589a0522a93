// The only module of every page: where the way to the other pages is wider than the window, this one is in the middle.

const here = document.querySelector(".site-nav [aria-current]");
if (here) {
  const way = here.closest(".site-nav");
  const [one, all] = [here.getBoundingClientRect(), way.getBoundingClientRect()];
  way.scrollLeft += (one.left + one.right - all.left - all.right) / 2;
}
