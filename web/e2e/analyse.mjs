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
      await until(async () => (await page.locator(".heat-disc").count()) > 3, "discs on the board");
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
    name: "the network's own judgement stands beside the search's",
    sizes: ["desk", "phone"],
    async run(page) {
      const ask = async (method, where, body) => (await page.request.fetch(`${page.base}/api/v1${where}`, { method, ...(body ? { data: body } : {}) })).json();
      const document = "go(size=9)~E5.C3.G7";
      const { network } = await ask("GET", `/agents?game=${encodeURIComponent("go(size=9)")}`);
      const { id } = await ask("POST", "/sessions", { document });
      const { report } = await ask("POST", `/sessions/${id}/think`, { agent: network, budget: { iterations: 1 }, play: false, candidates: 400 });
      const wide = report.candidates.filter((one) => one.to !== null && one.prior >= 0.002).length;
      assert(report.candidates.length > 70 && wide > 5, "a weight for every move");
      const value = 1 - report.figures.find(({ name }) => name === "network-value").value;
      await page.fresh(link(document));
      const said = page.locator("[data-network]");
      await said.waitFor();
      assert(Math.abs(Number(await said.getAttribute("data-network")) - value) < 1e-6, "the network's value, as the server tells it");
      await page.getByRole("radio", { name: "Prior" }).check({ force: true });
      await until(async () => (await page.locator(".heat-disc").count()) === wide, "the weights of the network");
      await page.getByRole("button", { name: "Beside the search" }).click();
      const rows = page.locator("[data-beside]");
      await until(async () => (await rows.count()) === 6, "the moves that either prefers");
      for (const row of await rows.all()) {
        const move = await row.getAttribute("data-beside");
        const prior = report.candidates.find((one) => one.move === move).prior;
        assert((await row.locator("td").first().textContent()) === (100 * prior).toFixed(1), `the weight of ${move}`);
      }
      assert((await page.locator("dialog .board").count()) === 2, "a board for each");
      await until(async () => /search/.test(await page.locator("[data-changed]").textContent()), "a sentence");
    },
  },
  {
    name: "a page that is not seen does not search, and goes on when it is",
    sizes: ["desk"],
    async run(page) {
      const see = (hidden) => page.evaluate((now) => {
        Object.defineProperty(document, "hidden", { configurable: true, get: () => now });
        document.dispatchEvent(new Event("visibilitychange"));
      }, hidden);
      await page.fresh(link("go(size=9)~E5.C3.G7"));
      await until(() => effort(page), "the first figures");
      await see(true);
      await page.locator("[data-thinking=no]").waitFor();
      const stopped = await effort(page);
      await new Promise((resolve) => setTimeout(resolve, 600));
      assert((await effort(page)) === stopped, "nothing is searched for a page that is not seen");
      await see(false);
      await page.locator("[data-thinking=yes]").waitFor();
      await until(async () => (await effort(page)) !== stopped, "figures again");
    },
  },
  {
    name: "a game is gone through quickly, and the last position is searched",
    sizes: ["desk"],
    async run(page) {
      const moves = "E5.E7.D5.F4.F5.G5.G6.B4.G4.C6.F7.C5.H5.D4.E4.D3.D7.D6.E6.E8.D8.B7.C4.C3.E3.E9";
      await page.fresh(link(`go(size=9)~${moves}`));
      await until(() => effort(page), "the first figures");
      for (let i = 0; i < 3; i++) {
        for (let back = 0; back < 26; back++) await page.keyboard.press(",");
        for (let on = 0; on < 26; on++) await page.keyboard.press(".");
      }
      await page.keyboard.press("Home");
      await until(async () => (await page.locator(".men > g").count()) === 0, "the empty board");
      await until(async () => (await effort(page)) > 0 && (await page.locator("[data-thinking=yes]").count()) === 1, "a search of it");
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
  {
    name: "quick steps and quick tries all count, also when answers are late, and keys work after a choice",
    sizes: ["desk"],
    async run(page) {
      await page.fresh(link("go(size=9)~E5.C3.G7.G3.D7.C6.E3.F4"));
      await page.locator("[role=grid]").waitFor();
      let requests = 0;
      await page.route(/\/api\/v1\/(sessions\/[^/]+\?at=|position)/, async (route) => {
        await new Promise((resolve) => setTimeout(resolve, [150, 60, 120, 30][requests++ % 4]));
        await route.continue().catch(() => {});
      });
      const at = () => page.locator(".move-count b").textContent();
      await page.keyboard.press("Home");
      await until(async () => (await at()) === "0", "the start");
      for (let i = 0; i < 5; i++) await page.keyboard.press(".");
      await until(async () => (await at()) === "5", "five steps");
      await page.getByRole("radiogroup", { name: "Discs" }).getByRole("radio").nth(1).check({ force: true });
      await page.keyboard.press("Home");
      await until(async () => (await at()) === "0", "the start, by a key after a choice");
      await page.evaluate(() => {
        for (const name of ["C3", "G7", "G3", "C7"]) document.querySelector(`[role=gridcell][data-name="${name}"]`).dispatchEvent(new MouseEvent("click", { bubbles: true }));
      });
      await page.locator(".variation b", { hasText: /^C3 G7 G3 C7$/ }).waitFor();
      await page.locator(".bar .chip", { hasText: "variation, move 4" }).waitFor();
      const { variations } = await page.evaluate(() => JSON.parse(localStorage.getItem("tesuji.game")).notes);
      assert(variations.length === 1, `the variations are ${variations.join(", ")}`);
      await page.unrouteAll({ behavior: "ignoreErrors" });
    },
  },
  {
    name: "variations and comments are kept, written as SGF and read again",
    sizes: ["desk", "phone"],
    async run(page) {
      await page.fresh(link("go(size=9)~E5.C3.G7"));
      await page.locator("[role=grid]").waitFor();
      const notes = page.locator(".record-moves");
      await notes.locator("summary").click();
      const say = (text) => page.locator("[data-field=comment]:visible").fill(text);
      await say("Black has the centre.");
      await page.keyboard.press("Tab");
      await page.getByRole("button", { name: "Back", exact: true }).click();
      await until(async () => (await page.locator(".men > g").count()) === 2, "the position before the last move");
      for (const move of ["C7", "G3"]) {
        const before = await page.locator(".men > g").count();
        await page.point(move).click();
        await until(async () => (await page.locator(".men > g").count()) > before, `${move} tried`);
      }
      await page.locator(".variation", { hasText: "C7 G3" }).waitFor();
      await say("Or this.\nIt is larger.");
      await page.reload();
      await until(async () => (await page.locator(".men > g").count()) === 3, "the game after a reload");
      await notes.locator("summary", { hasText: "3 moves, 1 variation, 2 comments" }).click();
      const [first, second] = [page.locator(".branch button").first(), page.locator(".branch button").nth(1)];
      await first.click();
      await page.locator(".variation b", { hasText: /^C7$/ }).waitFor();
      await page.keyboard.press(".");
      await page.locator(".variation b", { hasText: "C7 G3" }).waitFor();
      assert((await page.locator("[data-field=comment]:visible").inputValue()) === "Or this.\nIt is larger.", "the comment of the variation");
      await page.keyboard.press(",");
      await page.locator(".variation b", { hasText: /^C7$/ }).waitFor();
      await page.room("play");
      const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "SGF" }).first().click()]);
      const text = await (await import("node:fs/promises")).readFile(await download.path(), "utf8");
      assert(/C\[Or this\.\s+It is larger\.\]/.test(text) && /\(;B\[cc\]/.test(text), `variation and comment in ${text}`);
      await page.fresh("play/new%2Fgo");
      await page.getByRole("button", { name: "Read SGF" }).click();
      await page.locator("textarea:visible").last().fill(text);
      await page.getByRole("button", { name: "Read the record" }).click();
      await until(async () => (await page.locator("dialog").count()) === 0 && (await page.locator(".men > g").count()) === 3, "the record");
      await page.room("analyse");
      await notes.locator("summary", { hasText: "3 moves, 1 variation, 2 comments" }).click();
      await second.click();
      await page.getByRole("button", { name: "Make it the game" }).click();
      await notes.locator("summary", { hasText: "4 moves, 1 variation, 2 comments" }).waitFor();
      await page.locator(".branch button", { hasText: "G7" }).click();
      await page.getByRole("button", { name: "Delete" }).click();
      await notes.locator("summary", { hasText: "4 moves, 1 comment" }).waitFor();
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
