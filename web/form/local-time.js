// Writes every time of a page in the zone and the language of its reader. Without scripts, the zone of
// the server stands there, with its name.

const now = new Date();
for (const element of document.querySelectorAll('time')) {
  const at = new Date(element.dateTime);
  if (Number.isNaN(at.valueOf())) continue;
  const isToday = at.toDateString() === now.toDateString();
  element.textContent = at.toLocaleString(
    document.documentElement.lang,
    isToday ? { timeStyle: 'short' } : { dateStyle: 'medium', timeStyle: 'short' },
  );
}
