// What the end-to-end tests share: the server, the browser, pages of both sizes, and what is checked
// on every page: no error on the console, no sideways scroll, no serious finding of axe.
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const here = path.dirname(fileURLToPath(import.meta.url));
const root = path.resolve(here, "../..");
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

export const SIZES = {
  desk: { viewport: { width: 1440, height: 900 } },
  phone: { viewport: { width: 360, height: 640 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 },
};

/** A program of this workspace: the one that $TESUJI or $TESUJI_OUTSIDE names, or a build of it. */
function built(name, named) {
  const target = process.env.CARGO_TARGET_DIR ?? path.join(root, "target");
  return [named, path.join(target, "release", name), path.join(target, "debug", name)].find((file) => file && existsSync(file));
}
export function program() {
  const found = built("tesuji", process.env.TESUJI);
  if (!found) throw new Error("no program to test: build tesuji, or name it in $TESUJI");
  return found;
}
/** The program of examples/outside, or nothing where it is not built. */
export const outside = () => built("outside", process.env.TESUJI_OUTSIDE);

/** Starts `tesuji serve` on a free port, with a laboratory of its own; gives its address and what stops it. */
export async function serve(binary = program()) {
  const lab = mkdtempSync(path.join(tmpdir(), "tesuji-lab-"));
  const child = spawn(binary, ["serve", "--port", "0", "--lab", lab], { cwd: root, stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  const url = await new Promise((resolve, reject) => {
    const listen = (chunk) => {
      said += chunk;
      const found = /http:\/\/[^\s]+/.exec(said);
      if (found) resolve(found[0].replace(/\/$/, ""));
    };
    child.stdout.on("data", listen);
    child.stderr.on("data", listen);
    child.on("exit", (code) => reject(new Error(`${binary} serve ended with ${code}: ${said}`)));
    setTimeout(() => reject(new Error(`${binary} serve printed no address in 20 s: ${said}`)), 20_000).unref();
  });
  const stop = () => new Promise((resolve) => {
    child.once("exit", () => resolve(rmSync(lab, { recursive: true, force: true })));
    child.kill("SIGTERM");
  });
  return { url, stop };
}

export async function browser() {
  const executablePath = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find((file) => existsSync(file));
  if (!executablePath) throw new Error("no chromium: apt-get install chromium");
  return chromium.launch({ executablePath, args: ["--no-sandbox"] });
}

/** A fresh page of a size, with its own storage; `page.errors` collects what the console said. */
export async function open(browserNow, url, size, options = {}) {
  const context = await browserNow.newContext({ ...SIZES[size], colorScheme: "light", ...options });
  await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: new URL(url).origin });
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  page.errors = [];
  page.on("console", (message) => { if (message.type() === "error" || message.type() === "warning") page.errors.push(message.text()); });
  page.on("pageerror", (error) => page.errors.push(String(error)));
  page.base = url;
  page.room = (hash) => page.goto(`${url}/#/${hash}`);
  page.fresh = async (hash) => { await page.goto("about:blank"); await page.room(hash); };
  page.point = (name) => page.locator(`[role=gridcell][data-name="${name}"]`);
  /** Puts a stone, by a click or a tap; a finger that must aim first taps twice. */
  page.put = async (name) => {
    const before = await page.locator(".men > g").count();
    const place = page.point(name);
    if (!SIZES[size].hasTouch) return place.click();
    await place.tap();
    if (await page.locator(".board .aim").count()) await place.tap();
    await page.waitForFunction((n) => document.querySelectorAll(".men > g").length !== n, before);
  };
  page.says = (text) => page.locator(".result b", { hasText: text }).waitFor();
  return page;
}

/** In the page: controls that lie over each other, and words that stick out of their control. */
function crowded() {
  const clipped = (element) => {
    let { left, top, right, bottom } = element.getBoundingClientRect();
    for (let frame = element.parentElement; frame; frame = frame.parentElement) {
      if (getComputedStyle(frame).overflow === "visible") continue;
      const box = frame.getBoundingClientRect();
      [left, top, right, bottom] = [Math.max(left, box.left), Math.max(top, box.top), Math.min(right, box.right), Math.min(bottom, box.bottom)];
    }
    return { left, top, right, bottom };
  };
  // The bar with the tabs lies over what scrolls below it, a dialog over the page, a list of cells over its own rows.
  const apart = ".tabs, .toasts, .unseen, .skip, svg, [role=grid]";
  const page = document.querySelector("dialog[open]") ?? document;
  const controls = [...page.querySelectorAll("a[href], button, select, textarea, summary, input:not([type=radio])")]
    .filter((one) => !one.closest(apart) && one.checkVisibility({ opacityProperty: true, visibilityProperty: true }))
    .map((one) => ({ one, box: clipped(one) })).filter(({ box }) => box.right - box.left > 1 && box.bottom - box.top > 1);
  const told = (one) => `${one.tagName.toLowerCase()} "${(one.getAttribute("aria-label") ?? one.textContent ?? "").trim().slice(0, 30)}"`;
  const found = [];
  controls.forEach(({ one, box }, i) => {
    if (one.matches("a, button") && getComputedStyle(one).overflow === "visible" && one.scrollWidth > one.clientWidth + 1 && one.clientWidth > 0) {
      found.push(`words stick out of ${told(one)}: ${one.scrollWidth} px in ${one.clientWidth}`);
    }
    for (const { one: other, box: its } of controls.slice(i + 1)) {
      if (one.contains(other) || other.contains(one)) continue;
      const [across, down] = [Math.min(box.right, its.right) - Math.max(box.left, its.left), Math.min(box.bottom, its.bottom) - Math.max(box.top, its.top)];
      if (across > 2 && down > 2) found.push(`${told(one)} and ${told(other)} overlap by ${Math.round(across)} × ${Math.round(down)} px`);
    }
  });
  return found.slice(0, 5);
}

/** What must hold on any page; returns the violations in words. */
export async function faults(page) {
  const found = page.errors.map((error) => `console: ${error}`);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  if (wide > 0) found.push(`scrolls sideways by ${wide} px at ${page.viewportSize().width} px`);
  found.push(...(await page.evaluate(crowded)));
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"], iframes: false }));
  for (const { id, impact, nodes } of violations) {
    if (impact === "serious" || impact === "critical") found.push(`axe: ${id} (${impact}): ${nodes.slice(0, 3).map((node) => node.target.join(" ")).join("; ")}`);
  }
  return found;
}

export function assert(condition, message) {
  if (!condition) throw new Error(message);
}

/** Waits until the check gives something true, and returns it. */
export async function until(check, what, timeout = 30_000) {
  const end = Date.now() + timeout;
  for (;;) {
    const value = await check();
    if (value) return value;
    if (Date.now() > end) throw new Error(`waited ${timeout / 1000} s for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 60));
  }
}
