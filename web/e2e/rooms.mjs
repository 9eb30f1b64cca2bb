// Home, Problems, Lab; and what must hold in every room.
import { gzipSync } from "node:zlib";
import { assert, until } from "./harness.mjs";

export const tests = [
  {
    name: "the first paint comes within a second, from less than 300 kB",
    sizes: ["desk"],
    async run(page) {
      const sizes = [];
      page.on("response", (response) => sizes.push(response.body().then((body) => gzipSync(body).length, () => 0)));
      await page.fresh("play");
      const paint = await until(() => page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0]?.startTime), "a paint");
      assert(paint < 1000, `the first paint came after ${Math.round(paint)} ms`);
      const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
      assert(bytes > 0 && bytes < 300_000, `${bytes} bytes, compressed`);
    },
  },
  {
    name: "Home: a search thinks, and a board leads to its game",
    sizes: ["desk", "phone"],
    async run(page) {
      await page.fresh("");
      const count = async () => Number(await page.locator("[data-iterations]").getAttribute("data-iterations"));
      const first = await until(count, "the first iterations");
      await until(async () => (await count()) > first, "more iterations");
      assert((await page.locator(".tile").count()) >= 5, "games as boards");
      await page.locator(".tile").first().click();
      await page.locator("[data-field=game]").waitFor();
    },
  },
  {
    name: "Problems: one of each set is tried, and one is shown solved",
    slow: true,
    sizes: ["desk"],
    async run(page) {
      await page.fresh("problems");
      await page.locator(".square").first().waitFor();
      const games = await page.locator(".set .chip").allTextContents();
      for (const game of games.length > 0 ? games : [""]) {
        if (game) await page.locator(".set .chip", { hasText: game }).first().click();
        await page.locator("[data-verdict=open]").waitFor();
        await page.locator("[role=gridcell].answers").first().click();
        const verdict = () => page.locator(".verdict-head").getAttribute("data-verdict");
        await until(async () => ["right", "wrong", "unclear"].includes(await verdict()), `a verdict on a problem of ${game}`, 40_000);
        const marked = await page.locator(".square.failed, .square.solved").count();
        assert(marked === ((await verdict()) === "unclear" ? 0 : 1), `a verdict must be kept: ${marked}`);
        await page.getByRole("button", { name: "Try again" }).click();
        await page.locator("[data-verdict=open]").waitFor();
        if (game === games[0]) {
          await page.getByRole("button", { name: "Show the solution" }).click();
          await page.locator("[data-verdict=solution]").waitFor({ timeout: 40_000 });
        }
      }
    },
  },
  {
    name: "Problems: a position of one's own is set up, and the solver is asked",
    sizes: ["desk", "phone"],
    async run(page) {
      await page.fresh("problems");
      await page.locator(".square").first().waitFor();
      await page.getByRole("button", { name: "Ask about a position of your own" }).click();
      const editor = page.locator("dialog");
      await editor.locator("[data-field=set-up-game]").selectOption("tictactoe");
      const put = (name) => editor.locator(`[role=gridcell][data-name="${name}"]`).click();
      for (const name of ["b2", "a1"]) await put(name);
      await editor.getByRole("radio", { name: "O", exact: true }).check({ force: true });
      for (const name of ["a2", "c2"]) await put(name);
      await editor.getByRole("button", { name: "Ask the solver" }).click();
      await page.locator(".why[data-kind]").waitFor();
      await page.locator(".why h2", { hasText: "Why does O lose?" }).waitFor();
    },
  },
  {
    name: "Lab: the list, an experiment, its report",
    sizes: ["desk", "phone"],
    async run(page) {
      await page.fresh("lab");
      await page.locator(".experiments a").first().waitFor();
      const withReport = page.locator(".experiments a", { has: page.locator(".tag.done") });
      const reported = (await withReport.count()) > 0;
      const any = reported ? withReport.first() : page.locator(".experiments a").first();
      await any.click();
      await page.locator("blockquote").waitFor({ state: "attached" });
      if (reported) await page.frameLocator("iframe.report").locator("h1").waitFor();
    },
  },
  {
    name: "Lab: a run is started, and its report is read",
    sizes: ["desk"],
    async run(page) {
      const { experiments } = await (await fetch(`${page.base}/api/v1/experiments`)).json();
      const small = experiments.filter((one) => one.can_run).sort((a, b) => a.core_hours.quick - b.core_hours.quick)[0];
      assert(small, "an experiment that can be run");
      await page.fresh(`lab/${small.id}`);
      await page.getByRole("button", { name: /^Quick/ }).click();
      await page.locator("[data-run]").waitFor();
      await page.frameLocator("iframe.report").locator("h1").waitFor({ timeout: 90_000 });
    },
  },
  ...["", "play/go(size%3D9)~E5.C3", "analyse/go(size%3D19)~D4", "problems", "lab", "play/new%2Fgo"].map((hash) => ({
    name: `nothing overlaps or scrolls sideways: #/${hash}`,
    sizes: ["desk", "phone"],
    dark: true,
    async run(page) {
      await page.fresh(hash);
      await page.locator("main").waitFor();
      await page.waitForTimeout(500);
    },
  })),
  {
    name: "no room scrolls sideways between the usual widths",
    sizes: ["desk"],
    async run(page) {
      for (const [width, room] of [[320, "analyse"], [761, "microscope"], [800, "microscope"]]) {
        await page.setViewportSize({ width, height: 900 });
        await page.fresh(`${room}/${encodeURIComponent("go(size=9)~E5.C3.G7")}`);
        await page.locator(room === "analyse" ? ".candidates tbody tr" : "[data-ready=yes]").first().waitFor();
        const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
        assert(wide <= 0, `${room} scrolls sideways by ${wide} px at ${width} px`);
      }
      // What was pale while it was asked for has its colours again.
      await page.waitForTimeout(500);
      await page.locator("[data-ready=yes]").waitFor();
    },
  },
];
