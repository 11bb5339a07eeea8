// Puts the number of games that wait on the icon of the app: it stands beside the icon of each page.

function put() {
  const waiting = Number(document.querySelector("link[rel=icon]").dataset.waiting ?? 0);
  const done = waiting ? navigator.setAppBadge(waiting) : navigator.clearAppBadge();
  done.catch(() => {}); // not an installed app, or not allowed to
}

if ("setAppBadge" in navigator) {
  put();
  new MutationObserver(put).observe(document.head, { childList: true });
}
