// Shows push messages, and opens the page that one is about. It keeps no pages.

self.addEventListener("push", (event) => {
  const { title, text, url, tag } = event.data.json();
  const shown = { body: text, tag, renotify: true, data: { url } };
  event.waitUntil(self.registration.showNotification(title, shown));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const { pathname } = new URL(event.notification.data.url, self.location.href);
  // Pages of this server alone, whatever name it is reached by.
  const page = new URL(pathname, self.location.origin);
  event.waitUntil(self.clients.openWindow(page));
});
