// Puts the number of games that wait on the icon of the app: it stands in the title of each page.

const title = document.querySelector("title");

function put() {
  const waiting = Number(document.title.match(/^\((\d+)\)/)?.[1] ?? 0);
  const done = waiting ? navigator.setAppBadge(waiting) : navigator.clearAppBadge();
  done.catch(() => {}); // not an installed app, or not allowed to
}

if ("setAppBadge" in navigator) {
  put();
  new MutationObserver(put).observe(title, { childList: true });
}
