// A tour as one page that needs neither server nor script: the room as it was drawn at each stop, with the
// styles of the app, and links from stop to stop.
import type { Tour } from "../../api";

const escaped = (text: string): string => text.replace(/[&<>"]/g, (sign) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[sign] ?? sign);

const OWN = `
.offline-stop { display: none; }
.offline-stop:target, body:not(:has(.offline-stop:target)) .offline-stop:first-of-type { display: block; }
.offline-head { max-width: 1440px; margin: 0 auto; padding: 16px 24px 0; }
.offline-head p { max-width: 84em; }
.offline-head nav { display: flex; gap: 8px; margin-top: 8px; }
.offline-stop .foot, .offline-stop .tours, .offline-stop .segments { display: none; }
body { padding-bottom: 0; }
`;

/** The page of a tour; `rooms` are the drawings at its stops. */
export function page(tour: Tour, rooms: readonly string[], styles: string): string {
  const link = (to: number, text: string): string => `<a class="button" href="#stop-${to + 1}">${text}</a>`;
  const stops = tour.stops.map((stop, i) => `<section class="offline-stop" id="stop-${i + 1}">
<header class="offline-head"><p class="caption">${escaped(tour.title)} · ${i + 1} of ${tour.stops.length} · ${escaped(tour.source)}</p>
<h1 class="small">${escaped(stop.title)}</h1><p>${escaped(stop.text)}</p>
<nav aria-label="Stops">${i > 0 ? link(i - 1, "Back") : ""}${i + 1 < tour.stops.length ? link(i + 1, "Next") : ""}</nav></header>
<div inert>${rooms[i] ?? ""}</div></section>`);
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${escaped(tour.title)}</title>
<style>${styles.replaceAll("</", "<\\/")}${OWN}</style></head>
<body>${stops.join("\n")}</body></html>
`;
}

/** The styles of the app as they were written; what the browser makes of them loses some. */
export async function styles(): Promise<string> {
  const texts = [...document.querySelectorAll<HTMLLinkElement | HTMLStyleElement>('link[rel="stylesheet"], style')].map(async (one) =>
    one instanceof HTMLLinkElement ? (await fetch(one.href)).text() : (one.textContent ?? ""));
  return (await Promise.all(texts)).join("\n");
}

/** The room as it is drawn now, without the stop's own text. */
export function drawn(): string {
  const room = document.querySelector("main.microscope")?.cloneNode(true) as HTMLElement | undefined;
  if (!room) return "";
  room.removeAttribute("id");
  // Where a slider stands is no part of a page's text.
  room.querySelectorAll("input").forEach((input) => input.setAttribute("value", input.value));
  room.querySelectorAll(".tour-stop, h1, details, dialog").forEach((part) => part.remove());
  return room.outerHTML;
}

/** Has the browser save a text as a file. */
export function save(name: string, text: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "text/html" }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
