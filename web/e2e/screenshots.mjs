// Pictures of every room for docs/web, in both sizes and themes: node e2e/screenshots.mjs [folder [room…]].
// Where pngquant is installed, they are made small with it.
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { browser, open, serve, until } from "./harness.mjs";

const folder = process.argv[2] ?? path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../../docs/web");
mkdirSync(folder, { recursive: true });
const wanted = process.argv.slice(3);
const server = process.env.TESUJI_URL ? { url: process.env.TESUJI_URL, stop: async () => {} } : await serve();
const chrome = await browser();
const GAME = "go(size=9)~E5.E7.D5.F4.F5.G5.G6.B4.G4.C6.F7.C5.H5.D4.E4.D3.D7.D6.E6.E8.D8.B7.C4.C3.E3.E9";
const at = (room, document) => `${room}/${encodeURIComponent(document)}`;
const count = async (page, name) => Number((await page.locator(`[data-${name}]`).getAttribute(`data-${name}`)) ?? 0);

const rooms = {
  home: { hash: "", ready: (page) => until(async () => (await count(page, "iterations")) > 700, "iterations", 20_000) },
  play: { hash: at("play", GAME), ready: (page) => page.locator("[role=grid]").waitFor() },
  analyse: {
    hash: at("analyse", GAME),
    async ready(page) {
      await page.getByRole("button", { name: "Analyse the game" }).click();
      await until(async () => (await page.getByRole("button", { name: "Analyse the game" }).count()) > 0, "the whole game", 60_000);
      await page.getByRole("button", { name: "Ask them" }).click();
      await until(async () => (await page.getByRole("button", { name: "Ask them" }).count()) > 0, "the agents", 60_000);
      await page.locator("[data-candidate] button").first().focus();
    },
  },
  microscope: {
    hash: at("microscope", "othello~f5.f6.e6.f4.c3.c4"),
    async ready(page) {
      await page.locator("main.microscope[data-ready=yes]").waitFor({ timeout: 30_000 });
      await page.locator(".scrub").fill("1248");
      await page.locator("[data-phase='1'].is").waitFor();
      await page.locator("[data-phase='3']").click();
      await page.locator("[data-curve]").first().waitFor({ state: "attached" });
    },
  },
  proof: {
    hash: at("proof", "hex(size=5,swap=false)~d2.d4.c4.c3.d3"),
    async ready(page) {
      await page.locator(".why[data-kind]").waitFor({ timeout: 60_000 });
      await page.getByRole("button", { name: "Grow the tree" }).click();
      await page.locator(".plot-card").waitFor({ timeout: 60_000 });
      const { width, height } = await page.locator(".proof-plot svg").boundingBox();
      await page.locator(".proof-plot svg").click({ position: { x: width * 0.5, y: height / 2 } });
      await page.locator(".tree-sum", { hasText: "leaves to prove" }).waitFor();
    },
  },
  problems: {
    hash: "problems/goproblem%2Fkill-03",
    async ready(page) {
      await page.locator("[role=gridcell].answers").first().click();
      await until(async () => ["right", "wrong", "unclear"].includes(await page.locator(".verdict-head").getAttribute("data-verdict")), "a verdict", 60_000);
      for (let i = 0; i < 5; i++) await page.keyboard.press(".");
    },
  },
  lab: { hash: "lab", ready: (page) => page.locator(".experiments a").first().waitFor() },
  report: {
    hash: "lab",
    async ready(page) {
      const { experiments } = await (await fetch(`${page.base}/api/v1/experiments`)).json();
      const small = experiments.filter((one) => one.can_run).sort((a, b) => a.core_hours.quick - b.core_hours.quick)[0];
      await page.fresh(`lab/${small.id}`);
      const report = page.frameLocator("iframe.report").locator("h1");
      const run = page.getByRole("button", { name: /^Quick/ });
      await until(async () => (await report.count()) > 0 || (await run.count()) > 0, "the experiment");
      if ((await report.count()) === 0) await run.click();
      await report.waitFor({ timeout: 180_000 });
    },
  },
};

for (const [name, { hash, ready }] of Object.entries(rooms).filter(([name]) => wanted.length === 0 || wanted.includes(name))) {
  for (const size of ["desk", "phone"]) {
    const page = await open(chrome, server.url, size, { deviceScaleFactor: 1, ...(size === "phone" ? { viewport: { width: 390, height: 844 } } : {}) });
    await page.fresh(hash);
    await ready(page);
    for (const theme of ["light", "dark"]) {
      await page.emulateMedia({ colorScheme: theme });
      await page.evaluate(() => scrollTo(0, 0));
      await page.waitForTimeout(700);
      await page.screenshot({ path: path.join(folder, `${name}-${size}-${theme}.png`) });
    }
    await page.context().close();
    console.log(name, size);
  }
}
await chrome.close();
await server.stop();
const pictures = readdirSync(folder).filter((name) => name.endsWith(".png")).map((name) => path.join(folder, name));
const small = spawnSync("pngquant", ["--force", "--ext", ".png", "64", ...pictures]);
if (small.error) console.log("no pngquant: the pictures are large");
