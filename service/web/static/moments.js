// Shows moments in the browser's time zone, where the player has chosen none. The server names each
// moment; here it is only written otherwise.

const PARTS = { weekday: "short", day: "numeric", month: "short", year: "numeric", hour: "2-digit", minute: "2-digit", hourCycle: "h23" };

/** Rewrites the moments of a page that it shows in UTC for want of a choice. */
export function localise(root) {
  const format = new Intl.DateTimeFormat("en-US", PARTS); // in the words that the server uses
  const { timeZone } = format.resolvedOptions();
  for (const element of root.querySelectorAll("time[data-unzoned]")) {
    const of = Object.fromEntries(format.formatToParts(new Date(element.dateTime)).map(({ type, value }) => [type, value]));
    const day = `${of.day} ${of.month} ${of.year}`;
    const time = `${of.hour}:${of.minute}`;
    const minute = `${of.weekday} ${day}, ${time} (${timeZone})`;
    const shown = { day, time, minute, near: `${of.weekday} ${time}`, far: `${of.weekday} ${of.day} ${of.month}, ${time}` };
    element.textContent = shown[element.dataset.unzoned];
    if (element.title) element.title = minute;
  }
  let above = ""; // a day begins elsewhere here
  for (const heading of root.querySelectorAll(".story .day")) {
    heading.hidden = heading.textContent === above;
    above = heading.textContent;
  }
}

localise(document);
