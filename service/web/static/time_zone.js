// Suggests the browser's time zone to a player who has chosen none.
for (const select of document.querySelectorAll("select[data-zone]")) {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const known = [...select.options].some((option) => option.value === timeZone);
  if (known && select.dataset.zone === "unchosen") select.value = timeZone;
}
