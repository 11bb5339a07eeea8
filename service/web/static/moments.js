// Shows moments in the browser's time zone, where the player has chosen none. The server names each
// moment; here it is only written otherwise, in the same messages.

import { _ } from "./words.js";

const DAYS = [_("Sun"), _("Mon"), _("Tue"), _("Wed"), _("Thu"), _("Fri"), _("Sat")];
const MONTHS = [_("Jan"), _("Feb"), _("Mar"), _("Apr"), _("May"), _("Jun"), _("Jul"), _("Aug"), _("Sep"), _("Oct"), _("Nov"), _("Dec")];

const two = (number) => String(number).padStart(2, "0");

/** A moment in the parts that messages name. */
function partsOf(at) {
  const parts = { weekday: DAYS[at.getDay()], day: at.getDate(), month: MONTHS[at.getMonth()], year: at.getFullYear() };
  return { ...parts, time: `${two(at.getHours())}:${two(at.getMinutes())}` };
}

const day = (of) => _("%(day)s %(month)s %(year)s", of);
const shortDay = (of) => _("%(weekday)s %(day)s %(month)s", of);
const date = (of) => _("%(weekday)s %(day)s %(month)s %(year)s", of);

/** Each way to show a moment. */
const SHOWN = {
  day,
  time: ({ time }) => time,
  minute: (of, zone) => _("%(date)s, %(time)s (%(zone)s)", { date: date(of), time: of.time, zone }),
  near: (of) => _("%(weekday)s %(time)s", of),
  far: (of) => _("%(date)s, %(time)s", { date: shortDay(of), time: of.time }),
  /** Midnight is the end of the day before it. */
  end: (of, zone, at) =>
    of.time === "00:00" ? _("the end of %(date)s (%(zone)s)", { date: date(partsOf(new Date(at - 1))), zone }) : SHOWN.minute(of, zone),
};

/** Rewrites the moments of a page that it shows in UTC for want of a choice. */
export function localise(root) {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  for (const element of root.querySelectorAll("time[data-unzoned]")) {
    const at = new Date(element.dateTime);
    const of = partsOf(at);
    element.textContent = SHOWN[element.dataset.unzoned](of, timeZone, at);
    if (element.title) element.title = SHOWN.minute(of, timeZone);
  }
  let above = ""; // a day begins elsewhere here
  for (const heading of root.querySelectorAll(".story .day:has(~ [data-unzoned])")) {
    const begins = day(partsOf(new Date(heading.parentElement.querySelector(":scope > time").dateTime)));
    heading.hidden = begins === above;
    heading.textContent = above = begins;
  }
}

localise(document);
