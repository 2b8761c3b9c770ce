/** The operators' console: read the figures again and again, without disturbing who types. */
const AGAIN_MS = 5000;

async function look(): Promise<void> {
  const shown = document.getElementById("live");
  if (document.hidden || !shown || shown.contains(document.activeElement)) return;
  const answer = await fetch(location.href);
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const found = page.getElementById("live");
  if (answer.ok && found) shown.replaceWith(found);
}

setInterval(() => void look().catch(() => undefined), AGAIN_MS); // the next look may succeed
