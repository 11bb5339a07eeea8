// Shows moments in the browser's time zone, where the player has chosen none. The server names each
// moment; here it is only written otherwise.

const PARTS = { weekday: "short", day: "numeric", month: "short", year: "numeric", hour: "2-digit", minute: "2-digit", hourCycle: "h23" };

const partsOf = (format, at) => Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]));

/** The day that ends at this moment. */
function dayBefore(format, moment) {
  const of = partsOf(format, new Date(Date.parse(moment) - 1));
  return `${of.weekday} ${of.day} ${of.month} ${of.year}`;
}

/** Rewrites the moments of a page that it shows in UTC for want of a choice. */
export function localise(root) {
  const format = new Intl.DateTimeFormat("en-US", PARTS); // in the words that the server uses
  const { timeZone } = format.resolvedOptions();
  for (const element of root.querySelectorAll("time[data-unzoned]")) {
    const of = partsOf(format, new Date(element.dateTime));
    const day = `${of.day} ${of.month} ${of.year}`;
    const time = `${of.hour}:${of.minute}`;
    const minute = `${of.weekday} ${day}, ${time} (${timeZone})`;
    const end = time === "00:00" ? `the end of ${dayBefore(format, element.dateTime)} (${timeZone})` : minute;
    const shown = { end, day, time, minute, near: `${of.weekday} ${time}`, far: `${of.weekday} ${of.day} ${of.month}, ${time}` };
    element.textContent = shown[element.dataset.unzoned];
    if (element.title) element.title = minute;
  }
  let above = ""; // a day begins elsewhere here
  for (const heading of root.querySelectorAll(".story .day:has(~ [data-unzoned])")) {
    const of = partsOf(format, new Date(heading.parentElement.querySelector(":scope > time").dateTime));
    const day = `${of.day} ${of.month} ${of.year}`;
    heading.hidden = day === above;
    heading.textContent = above = day;
  }
}

localise(document);
