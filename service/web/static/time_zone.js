// Suggests the browser's time zone to a player who has chosen none. Its name may be an old one.
for (const select of document.querySelectorAll("select[data-zone=unchosen]")) {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  if (![...select.options].some((option) => option.value === timeZone)) select.add(new Option(timeZone));
  select.value = timeZone;
}
