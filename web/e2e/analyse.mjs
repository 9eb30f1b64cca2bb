// Analyse: figures that grow, lines on the board, agents side by side, a record with its mistakes.
import { assert, until } from "./harness.mjs";

const link = (document) => `analyse/${encodeURIComponent(document)}`;
const effort = async (page) => Number(await page.locator("[data-effort]").getAttribute("data-effort"));

export const tests = [
  {
    name: "figures change as the search runs, stop when it is stopped, and show lines",
    sizes: ["desk", "phone"],
    async run(page) {
      await page.fresh(link("go(size=9)~E5.C3.G7"));
      const first = await until(() => effort(page), "the first figures");
      await until(async () => (await effort(page)) > first, "more iterations");
      assert((await page.locator(".heat-disc").count()) > 3, "discs on the board");
      const row = page.locator("[data-candidate]").first();
      await row.locator("button").click();
      await page.locator("[data-ghost='1']").waitFor();
      await page.getByRole("button", { name: "Stop" }).click();
      await page.locator("[data-thinking=no]").waitFor();
      const stopped = await effort(page);
      await new Promise((resolve) => setTimeout(resolve, 600));
      assert((await effort(page)) === stopped, "a stopped search must stand still");
      await page.keyboard.press("g");
      assert((await page.locator(".heat-under").count()) === 0, "G changes the labels to visits");
    },
  },
  {
    name: "a variation leaves the game as it is",
    sizes: ["desk"],
    async run(page) {
      await page.fresh(link("hex(size=5)~c3.b2"));
      await page.locator("[role=grid]").waitFor();
      await page.point("d2").click();
      await page.locator(".variation", { hasText: "d2" }).waitFor();
      await page.getByRole("button", { name: "Back", exact: true }).last().click();
      await until(async () => (await page.locator(".men > g").count()) === 2, "the game's own position");
      await page.getByRole("button", { name: "First move" }).click();
      await until(async () => (await page.locator(".men > g").count()) === 0, "an empty board");
    },
  },
  ...["go(size=5)", "othello(size=4)", "tictactoe"].map((game) => ({
    name: `a position is set up and becomes the game: ${game}`,
    sizes: ["desk"],
    async run(page) {
      await page.fresh(link(game));
      await page.getByRole("button", { name: "Set up" }).first().click();
      const board = page.locator("dialog");
      await board.getByRole("button", { name: "Clear" }).click();
      const put = (i) => board.locator(`[data-point="${i}"]`).click();
      await put(0);
      await board.getByRole("radio", { name: /^(White|O)$/ }).check({ force: true });
      await put(1);
      await board.getByRole("button", { name: "Set up" }).click();
      await until(async () => (await page.locator("dialog").count()) === 0, "the dialog gone");
      await until(async () => (await page.locator(".men > g").count()) === 2, "two stones");
    },
  })),
  {
    name: "agents side by side",
    sizes: ["desk", "phone"],
    async run(page) {
      await page.fresh(link("tictactoe~b2.a2"));
      await page.getByRole("button", { name: "Ask them" }).click();
      await until(async () => (await page.locator(".agent .agent-move").allTextContents()).filter((text) => /[abc][123]/.test(text)).length >= 2, "two answers", 20_000);
    },
  },
  {
    name: "a record analysed, with its mistake marked",
    sizes: ["desk", "phone"],
    async run(page) {
      // O's edge in answer to the centre is the losing move, X's edge a2 gives the win away again.
      await page.fresh(link("tictactoe~b2.a2.b1.b3.a1.c3.a3"));
      await page.locator("[role=grid]").waitFor();
      await page.getByRole("button", { name: "Analyse the game" }).click();
      await page.locator("[data-mistake='2']").waitFor({ timeout: 20_000, state: "attached" });
      await page.locator(".mistakes li").first().waitFor();
    },
  },
];
