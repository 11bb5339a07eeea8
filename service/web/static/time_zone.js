// Gives forms the browser's time zone, for a player who has chosen none. Its name may be an old one.
for (const field of document.querySelectorAll("[data-zone=unchosen]")) {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  if (field.options && ![...field.options].some((option) => option.value === timeZone)) field.add(new Option(timeZone));
  field.value = timeZone;
}
