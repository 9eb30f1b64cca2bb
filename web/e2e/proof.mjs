// The Proof room: a proof opened, a refutation followed, a tree grown and looked into, a file saved and opened.
import { readFileSync } from "node:fs";
import { assert, until } from "./harness.mjs";

const HEX = encodeURIComponent("hex(size=5,swap=false)~d2.d4.c4.c3.d3");

export const tests = [
  {
    name: "Proof room: a proof is opened and a refutation followed",
    sizes: ["desk", "phone"],
    async run(page) {
      await page.fresh(`proof/${HEX}`);
      await page.locator(".why[data-kind=certificate]").waitFor({ timeout: 60_000 });
      await page.locator(".why h2", { hasText: "Why does White lose?" }).waitFor();
      assert((await page.locator(".line-played").allTextContents()).join(" ") === "d2 d4 c4 c3 d3", "the moves that led here");
      assert((await page.locator("[data-tint]").count()) === 4, "two pairs of cells are tinted");
      assert((await page.locator("[data-link=solid]").count()) === 2 && (await page.locator("[data-link=open]").count()) === 8, "the chain and its two bridges are drawn");
      const letters = await page.locator("[data-mark=text]").allTextContents();
      assert(letters.sort().join("") === "AABB", `the pairs are lettered, not ${letters}`);
      // White takes a cell of a pair, on the board; Black takes the other.
      await page.point("d1").click();
      await until(async () => (await page.locator(".line-move").allTextContents()).join(" ") === "d1 e1", "Black's answer");
      await page.getByRole("button", { name: "Back one move" }).click();
      await page.locator("[data-kind=beyond]").waitFor();
      await page.keyboard.press("Home");
      await page.locator("[data-kind=certificate]").waitFor();
      await page.locator("[data-reply=c5]").click();
      await until(async () => (await page.locator(".line-move").allTextContents()).join(" ") === "c5 b5", "the answer to the other bridge");
    },
  },
  {
    name: "Proof room: moves are refuted move by move, and the proof is saved and opened again",
    sizes: ["desk"],
    async run(page) {
      await page.fresh(`proof/${encodeURIComponent("tictactoe~b2.a2.a1")}`);
      await page.locator(".why[data-kind]").waitFor({ timeout: 60_000 });
      await page.locator(".reply").first().click();
      await until(async () => (await page.locator(".line-move").count()) >= 2, "the refutation");
      // The next move is there when the server has answered.
      await until(async () => {
        await page.keyboard.press(".");
        return (await page.locator(".proof-line [role=status]").textContent()) === "X wins";
      }, "the end of the line");
      const download = page.waitForEvent("download");
      await page.getByRole("link", { name: "Save the proof" }).click();
      const file = await (await download).path();
      const bytes = readFileSync(file);
      assert(bytes.subarray(0, 12).toString() === "tesuji proof", "a proof file");
      await page.fresh(`proof/${encodeURIComponent("tictactoe~b2.a1.b3.a2.b1")}`);
      await page.locator(".why").waitFor();
      await until(async () => page.getByLabel("Open a saved proof").isEnabled(), "the solver to end", 60_000);
      await page.getByLabel("Open a saved proof").setInputFiles({ name: "saved.proof", mimeType: "application/octet-stream", buffer: bytes });
      await page.locator(".why h2", { hasText: "Why does O lose?" }).waitFor();
      await page.locator(".why .foot", { hasText: "from a file" }).waitFor();
    },
  },
  {
    name: "Proof room: a tree is grown, its numbers shown, a moment chosen",
    sizes: ["desk", "phone"],
    dark: true,
    async run(page) {
      await page.fresh(`proof/${encodeURIComponent("hex(size=4,swap=false)~b2")}`);
      await page.locator(".why[data-kind]").waitFor({ timeout: 60_000 });
      await page.getByRole("button", { name: "Grow the tree" }).click();
      const node = page.locator(page.viewportSize().width < 761 ? ".tree-list .tree-node" : ".tree-columns .tree-node");
      await node.first().waitFor({ timeout: 60_000 });
      await page.locator(".plot-card", { hasText: "seesaw" }).waitFor();
      const box = await page.locator(".proof-plot svg").boundingBox();
      await page.locator(".proof-plot svg").click({ position: { x: 60, y: box.height / 2 } });
      await page.locator(".tree-sum", { hasText: "leaves to prove" }).waitFor();
      await until(async () => (await node.count()) > 4, "nodes of several levels");
      await node.nth(1).click();
      await until(async () => (await page.locator(".line-move").count()) === 1, "the node's position");
    },
  },
  {
    name: "Proof room: without a game, positions to look at",
    sizes: ["desk", "phone"],
    async run(page) {
      await page.fresh("proof");
      await page.getByRole("button", { name: "Tic-tac-toe: a fork" }).click();
      await page.locator(".why[data-kind]").waitFor({ timeout: 60_000 });
    },
  },
  {
    name: "Problems: a wrong move is refuted by its proof",
    sizes: ["desk"],
    async run(page) {
      await page.fresh("problems/gomoku%2F");
      await page.locator("[data-verdict=open]").waitFor();
      await page.locator("[role=gridcell].answers").first().click();
      await until(async () => ["right", "wrong"].includes(await page.locator(".verdict-head").getAttribute("data-verdict")), "a verdict", 70_000);
      await page.getByRole("link", { name: "Why? See the proof" }).click();
      await page.locator(".why[data-kind]").waitFor({ timeout: 70_000 });
      await page.locator(".reply, .why .button.primary").first().click();
      await until(async () => (await page.locator(".line-move").count()) > 0, "a move of the proof");
    },
  },
];
