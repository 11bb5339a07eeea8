// Shows push messages, puts the number of waiting games on the app's icon, and opens the page that a
// message is about. It keeps no pages.

self.addEventListener("push", (event) => {
  const { title, text, url, tag, waiting } = event.data.json();
  const shown = { body: text, tag, renotify: true, data: { url }, icon: "/icons/icon-192.png" };
  event.waitUntil(Promise.all([self.registration.showNotification(title, shown), badge(waiting)]));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const { pathname } = new URL(event.notification.data.url, self.location.href);
  // Pages of this server alone, whatever name it is reached by.
  event.waitUntil(open(new URL(pathname, self.location.origin)));
});

/** The count stays out where there are no badges, or they are not allowed. */
async function badge(waiting) {
  try {
    await (waiting ? navigator.setAppBadge(waiting) : navigator.clearAppBadge());
  } catch {
    // The message is shown all the same.
  }
}

/** Show the page: where it is open already, else in a window of its own. */
async function open(page) {
  const windows = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const there = windows.find((one) => new URL(one.url).pathname === page.pathname);
  return there ? there.focus() : self.clients.openWindow(page);
}
