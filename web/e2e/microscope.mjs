// Microscope: iterations stepped forwards and back against the engine's own record, the tree browsed, more
// budget, Lin's viewer, and the guided tours.
import { readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { assert, until } from "./harness.mjs";

const here = path.dirname(fileURLToPath(import.meta.url));
const link = (document) => `microscope/${encodeURIComponent(document)}`;
const AGENT = "mcts(select=ucb1(c=0.7),solver=false)";
const OTHELLO = "othello~f5.f6.e6.f4.c3.c4";
const ready = (page) => page.locator("main.microscope[data-ready=yes]").waitFor({ timeout: 30_000 });
const iteration = async (page) => Number(await page.locator("[data-iteration]").getAttribute("data-iteration"));

/** What the page shows of an iteration in its last phase: the path with visits before and after. */
async function shown(page, number) {
  await until(async () => (await iteration(page)) === number && (await page.locator("[data-backup]").count()) > 0, `iteration ${number}`);
  await until(async () => (await page.locator("[data-backup='0'] td").nth(3).textContent()) === number.toLocaleString("en-GB"), `the backup of iteration ${number}`);
  const rows = await page.locator("[data-backup]").evaluateAll((all) => all.map((row) => [...row.children].map((cell) => cell.textContent)));
  return rows.map((cells) => ({ name: cells[0], visits: Number(cells[4].replaceAll(",", "")), value: cells[5] }));
}

async function compared(page, number, record) {
  const rows = await shown(page, number);
  assert(rows.length === record.path.length, `iteration ${number}: ${rows.length} nodes, not ${record.path.length}`);
  record.path.forEach((node, i) => {
    const own = rows[i];
    assert(own.name === (node.move ?? "root") && own.visits === node.visits && own.value === node.value.toFixed(3),
      `iteration ${number}, depth ${i}: ${JSON.stringify(own)} is not ${JSON.stringify(node)}`);
  });
}

async function tour(page, id, steps) {
  await page.fresh(link("tictactoe"));
  await ready(page);
  await page.locator(`[data-tour="${id}"]`).click();
  for (let at = 0; at < steps.length; at++) {
    await page.locator(`[data-stop="${at}"]`).waitFor();
    await ready(page);
    await steps[at](page);
    const next = page.getByRole("button", { name: "Next", exact: true });
    if (at + 1 < steps.length) await next.click();
  }
  await page.getByRole("button", { name: "End the tour" }).last().click();
  assert((await page.locator("[data-stop]").count()) === 0, "the tour ends");
}
const tourOf = (id) => JSON.parse(readFileSync(path.join(here, `../../crates/web/tours/${id}.json`), "utf8"));
/** A stop shows its iteration and phase, its path, its curves. */
const checks = (id) => tourOf(id).stops.map((stop) => async (page) => {
  if (stop.iteration) await until(async () => (await iteration(page)) === stop.iteration, `iteration ${stop.iteration}`, 30_000);
  if (stop.iteration && stop.phase) await page.locator(`[data-phase="${stop.phase}"].is`).waitFor();
  for (const move of stop.path ?? []) await page.locator(".path-bar .crumb", { hasText: move }).first().waitFor();
  for (const watched of stop.watch ?? []) await page.locator(`[data-curve="${watched}"]`).waitFor({ state: "attached", timeout: 20_000 });
  await until(async () => (await page.locator(".say").textContent()).length > 10, "a sentence");
});

export const tests = [
  {
    name: "Microscope: 20 iterations stepped and stepped back are the engine's own record",
    sizes: ["desk", "phone"],
    async run(page) {
      await page.fresh(link(OTHELLO));
      await ready(page);
      const ask = async (method, where, body) => (await page.request.fetch(`${page.base}/api/v1${where}`, { method, ...(body ? { data: body } : {}) })).json();
      const tree = await ask("POST", "/trees", { document: OTHELLO, agent: AGENT, seed: 1, iterations: 2000 });
      const { records } = await ask("GET", `/trees/${tree.id}/iterations?from=41&to=60`);
      assert(records.length === 20, "twenty records");
      await page.locator(".scrub").focus();
      await page.locator(".scrub").fill("41");
      await page.locator("[data-phase='4']").click();
      await compared(page, 41, records[0]);
      // By the buttons an iteration has four phases: the next one begins with its selection.
      const step = page.getByRole("button", { name: "Step", exact: true });
      for (let phase = 1; phase <= 4; phase++) {
        await step.click();
        await page.locator(`[data-phase="${phase}"].is`).waitFor();
      }
      await compared(page, 42, records[1]);
      const back = page.getByRole("button", { name: "Step back" });
      for (const phase of [3, 2, 1, 4]) {
        await back.click();
        await page.locator(`[data-phase="${phase}"].is`).waitFor();
      }
      await compared(page, 41, records[0]);
      // By the keys a whole iteration.
      for (let i = 1; i < 20; i++) {
        await page.keyboard.press(".");
        await compared(page, 41 + i, records[i]);
      }
      for (let i = 18; i >= 0; i--) {
        await page.keyboard.press(",");
        await compared(page, 41 + i, records[i]);
      }
    },
  },
  {
    name: "Microscope: the phases on the board, in the tree and in the table",
    sizes: ["desk", "phone"],
    async run(page) {
      await page.fresh(link(OTHELLO));
      await ready(page);
      await page.keyboard.press("Home");
      await until(async () => (await iteration(page)) === 1, "the first iteration");
      await page.locator(".scrub").fill("900");
      await page.locator("[data-phase='1'].is").waitFor();
      await page.locator(".icicle .on-path").first().waitFor({ state: "attached" });
      await until(async () => /^Why /.test(await page.locator(".children-box h2").textContent()), "the choice");
      // The sum can be checked in the head: Q + explore = UCB.
      const cells = (await page.locator("tr.selected").first().locator("td").allTextContents()).map((text) => text.trim());
      const [, q, , explore] = cells.map(Number);
      const total = Number(cells.find((_, i) => cells[i - 1] === "="));
      assert(Number.isNaN(total) || Math.abs(q + explore - total) < 0.0011, `${q} + ${explore} = ${total}`);
      await page.locator("[data-phase='2']").click();
      assert((await page.locator(".board [data-mark=path], .board [data-mark=leaf]").count()) > 0, "the path on the board");
      await page.locator("[data-phase='3']").click();
      assert((await page.locator(".board [data-mark=owner]").count()) > 20, "owners at the end of the playout");
    },
  },
  {
    name: "Microscope: the tree is browsed, watched and grown",
    sizes: ["desk", "phone"],
    async run(page) {
      await page.fresh(link("go(size=9)~E5.C3.G7"));
      await ready(page);
      assert(Number(await page.locator(".icicle").getAttribute("data-cells")) > 10, "cells of the tree");
      const first = page.locator("[data-child]").first();
      const move = await first.getAttribute("data-child");
      await first.locator("button").first().click();
      await page.locator(".path-bar .crumb[aria-current]", { hasText: move }).waitFor();
      await page.getByRole("button", { name: "show its curve" }).click();
      await page.getByRole("button", { name: "open this node" }).click();
      await page.getByRole("button", { name: "whole tree" }).click();
      await page.locator(".icicle").focus();
      await page.keyboard.press("ArrowRight");
      await until(async () => (await page.locator(".path-bar .crumb").count()) > 1, "the best child by a key");
      await page.getByText("Bounds and minimax").click();
      await page.locator("table.lin").waitFor();
      await page.locator("[data-settled]").waitFor({ state: "attached" });
      const before = Number(await page.locator("[data-nodes]").getAttribute("data-nodes"));
      await page.getByRole("button", { name: "Search on by 1,000 iterations" }).click();
      await until(async () => (await iteration(page)) === 3000, "3,000 iterations", 30_000);
      await until(async () => Number(await page.locator("[data-nodes]").getAttribute("data-nodes")) > before, "more nodes");
      await ready(page);
    },
  },
  {
    name: "Microscope: a network's search shows priors, and that the network judges",
    sizes: ["desk", "phone"],
    async run(page) {
      await page.fresh(link("go(size=7)~D4"));
      await ready(page);
      await page.getByRole("button", { name: "Search again" }).click();
      await page.locator("dialog select").selectOption({ label: "Network" });
      await page.getByLabel("Iterations, 1 to").fill("200");
      await page.getByRole("button", { name: "Search", exact: true }).click();
      await until(async () => (await page.locator("dialog").count()) === 0 && (await iteration(page).catch(() => 0)) === 200, "the network's search");
      await ready(page);
      await page.locator(".scrub").fill("150");
      await page.locator("[data-phase='1'].is").waitFor();
      await until(async () => (await iteration(page)) === 150, "iteration 150");
      await ready(page);
      // Every sum can be checked, also of moves that were not tried: Q + explore.
      const rows = await page.locator("table.sums tbody tr").evaluateAll((all) => all.map((row) => [...row.querySelectorAll("td.number")].map((cell) => cell.textContent)));
      assert(rows.length > 20, `${rows.length} children`);
      for (const [visits, prior, q, explore, sum] of rows) {
        assert(Number(prior) >= 0 && Number(prior) <= 1, `the prior ${prior}`);
        assert(Math.abs(Number(q) + Number(explore) - Number(sum)) < 0.0016, `${visits}: ${q} + ${explore} = ${sum}`);
      }
      await page.locator("[data-phase='3']", { hasText: "Judge" }).click();
      await page.locator(".say", { hasText: "the network looks at" }).waitFor();
    },
  },
  {
    name: "Microscope: the minimax node of Lin's viewer is jumped to",
    sizes: ["desk"],
    async run(page) {
      await page.fresh(link("trap"));
      await ready(page);
      await page.getByText("Bounds and minimax").click();
      const jump = page.locator("[data-child='19'] .jump");
      await jump.waitFor();
      await jump.click();
      await page.locator(".path-bar .crumb", { hasText: "19" }).first().waitFor();
      await page.getByRole("button", { name: "Search again" }).click();
      await page.getByLabel("Its spec, of the mcts family").fill("random");
      await page.getByRole("button", { name: "Search", exact: true }).click();
      await page.getByText(/keeps no tree/).waitFor();
      page.errors = page.errors.filter((text) => !/422/.test(text));
    },
  },
  { name: "Microscope: Li's Figure 3, the tour", sizes: ["desk", "phone"], run: (page) => tour(page, "li-figure-3", checks("li-figure-3")) },
  { name: "Microscope: Lin's trap, the tour", sizes: ["desk", "phone"], run: (page) => tour(page, "lin-trap", checks("lin-trap")) },
  {
    name: "Microscope: a tour is saved as one page that needs no server",
    sizes: ["desk"],
    async run(page) {
      await page.fresh(link("tictactoe"));
      await ready(page);
      await page.locator("[data-tour='li-figure-3']").click();
      await page.locator("[data-stop='0']").waitFor();
      await ready(page);
      const waiting = page.waitForEvent("download", { timeout: 60_000 });
      await page.getByRole("button", { name: "Save the tour" }).click();
      const file = await (await waiting).path();
      const { stops } = tourOf("li-figure-3");
      const alone = await page.context().newPage();
      const asked = [];
      alone.on("request", (request) => { if (!request.url().startsWith("file:")) asked.push(request.url()); });
      alone.on("console", (message) => page.errors.push(message.text()));
      const text = readFileSync(file, "utf8");
      await alone.setContent(text);
      await alone.getByRole("heading", { name: stops[0].title }).waitFor();
      for (const stop of stops.slice(1)) {
        await alone.locator(".offline-stop:visible").getByRole("link", { name: "Next" }).click();
        await alone.getByRole("heading", { name: stop.title }).waitFor();
        assert((await alone.locator(".offline-stop:visible .board:visible").count()) === 1, "the board of the stop");
      }
      const font = (one) => one.evaluate(() => getComputedStyle(document.querySelector("p")).fontFamily);
      assert((await font(alone)) === (await font(page)), "the page has the styles of the app");
      assert(asked.length === 0 && text.length < 5_000_000, `${asked} ${text.length}`);
      await alone.close();
    },
  },
  {
    name: "Microscope: a tour from a file, and one that is none",
    sizes: ["desk"],
    async run(page) {
      await page.fresh(link("tictactoe"));
      await ready(page);
      const file = page.locator(".tours input[type=file]");
      await file.setInputFiles({ name: "a.json", mimeType: "application/json", buffer: Buffer.from("{}") });
      await page.locator(".notice", { hasText: "This is not a tour" }).waitFor();
      await file.setInputFiles({ name: "b.json", mimeType: "application/json", buffer: Buffer.from(JSON.stringify({ ...tourOf("rave"), title: "My tour" })) });
      await page.locator(".tour-stop", { hasText: "My tour" }).waitFor();
      await page.locator("[data-phase='3'].is").waitFor();
    },
  },
  {
    name: "Microscope: without a game there is a way in",
    sizes: ["desk", "phone"],
    dark: true,
    async run(page) {
      await page.fresh("microscope");
      await page.getByRole("button", { name: "Look at Othello" }).click();
      await ready(page);
    },
  },
];
