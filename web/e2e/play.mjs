// Play: whole games by click, by tap and by keyboard; take-back, reload, addresses, records.
import { assert, outside, serve, until } from "./harness.mjs";

const link = (document) => `play/${encodeURIComponent(document)}`;

/** Starts a game with the dialog. */
async function start(page, game, { size, you, level } = {}) {
  await page.fresh("play/new%2F" + game);
  await page.locator("[data-field=game]").waitFor();
  if (size) await page.locator("[data-field=size]").selectOption({ label: size });
  if (you) await page.getByRole("radio", { name: you, exact: true }).check({ force: true });
  if (level) await page.locator("[data-field=opponent]").selectOption({ index: level });
  await page.getByRole("button", { name: "Start", exact: true }).click();
  await page.locator("[role=grid], .path-board").waitFor();
}

/** Black builds a wall on the D column, White on F, both with stones inside; Black's J9 and White's A9 are dead. */
const WALL = "D9 F9 D8 F8 D7 F7 D6 F6 D5 F5 D4 F4 D3 F3 D2 F2 D1 F1 J9 A9 B8 H8 B5 H5 B2 H2".split(" ");

async function goToItsEnd(page) {
  await start(page, "go", { size: "9×9", you: "Both" });
  for (const move of WALL) await page.put(move);
  for (let i = 0; i < 2; i++) await page.getByRole("button", { name: "Pass", exact: true }).click();
  const dead = page.locator("[data-mark=dead]");
  await until(async () => (await dead.count()) === 2, "two dead stones");
  const before = await page.locator(".result b").textContent();
  await page.point("A9").click();
  await until(async () => (await dead.count()) === 1, "White's stone alive again");
  await until(async () => (await page.locator(".result b").textContent()) !== before, "a result that counts it");
  await page.point("A9").click();
  await until(async () => (await dead.count()) === 2, "two dead stones again");
  await until(async () => (await page.locator(".result b").textContent()) === before, "the first result again");
  await page.getByRole("button", { name: "Accept" }).click();
  await until(async () => (await page.getByRole("button", { name: "Accept" }).count()) === 0, "agreement");
  // Both have 36 points; the column between belongs to neither, and komi decides.
  await page.says("White wins by 7.5");
}

/** Presses Tab until what has the focus fits. */
async function tabTo(page, fits, what) {
  for (let i = 0; i < 60; i++) {
    if (await page.evaluate(fits)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`60 times Tab did not lead to ${what}`);
}

/** From the dialog to the agreed result without a pointer. */
async function goByKeyboard(page) {
  await page.fresh("play/new%2Fgo");
  await page.locator("[data-field=size]").waitFor();
  await tabTo(page, () => document.activeElement?.matches("[data-field=size]"), "the size");
  await page.keyboard.type("9");
  await tabTo(page, () => document.activeElement?.matches("input[type=radio]"), "who plays");
  for (let i = 0; i < 5 && !(await page.getByRole("radio", { name: "Both" }).isChecked()); i++) await page.keyboard.press("ArrowRight");
  await tabTo(page, () => document.activeElement?.textContent === "Start", "Start");
  await page.keyboard.press("Enter");
  await page.locator("[role=grid]").waitFor();
  const onBoard = () => tabTo(page, () => document.activeElement?.getAttribute("role") === "gridcell", "the board");
  const names = "ABCDEFGHJ";
  const goTo = async (point) => {
    const here = await page.evaluate(() => document.activeElement?.getAttribute("data-name"));
    const [across, up] = [names.indexOf(point[0]) - names.indexOf(here[0]), Number(point.slice(1)) - Number(here.slice(1))];
    for (let i = 0; i < Math.abs(across); i++) await page.keyboard.press(across > 0 ? "ArrowRight" : "ArrowLeft");
    for (let i = 0; i < Math.abs(up); i++) await page.keyboard.press(up > 0 ? "ArrowUp" : "ArrowDown");
  };
  await onBoard();
  for (const [i, move] of WALL.entries()) {
    await goTo(move);
    await page.keyboard.press("Enter");
    await until(async () => (await page.locator(".men > g").count()) === i + 1, `${move} on the board`);
  }
  for (const passes of [1, 2]) {
    await page.keyboard.press("p");
    await until(async () => (await page.locator(".move-list [data-step]").count()) === WALL.length + passes, `pass ${passes}`);
  }
  const dead = page.locator("[data-mark=dead]");
  await until(async () => (await dead.count()) === 2, "two dead stones");
  await onBoard();
  await goTo("A9");
  await page.keyboard.press("Enter");
  await until(async () => (await dead.count()) === 1, "White’s stone alive");
  await page.keyboard.press("Enter");
  await until(async () => (await dead.count()) === 2, "two dead stones again");
  await tabTo(page, () => document.activeElement?.textContent === "Accept", "Accept");
  await page.keyboard.press("Enter");
  await until(async () => (await page.getByRole("button", { name: "Accept" }).count()) === 0, "agreement");
  await page.says("White wins by 7.5");
}

export const tests = [
  {
    name: "a game of tic-tac-toe to its end, by click",
    sizes: ["desk"],
    async run(page) {
      await start(page, "tictactoe", { you: "Both" });
      for (const move of ["a1", "a2", "b1", "b2", "c1"]) await page.put(move);
      await page.says("X");
      assert((await page.locator(".move-list button").count()) === 5, "the list must have five moves");
    },
  },
  {
    name: "a game against an agent, by tap, to its end",
    sizes: ["phone"],
    async run(page) {
      await start(page, "tictactoe", { you: "X", level: 2 });
      for (let turn = 0; turn < 5; turn++) {
        await until(async () => (await page.locator(".result b").count()) || (await page.locator("[data-seat=first] .turn").count()), "my turn or the end");
        if (await page.locator(".result b").count()) break;
        const free = await page.locator("[role=gridcell].answers").first();
        await free.tap();
        await until(async () => (await page.locator(".men > g").count()) >= 2 * turn + 1, "my stone");
      }
      await page.locator(".result b").waitFor();
    },
  },
  {
    name: "a game of tic-tac-toe by keyboard alone",
    sizes: ["desk"],
    async run(page) {
      await page.fresh(link("tictactoe"));
      await page.locator("[role=grid]").waitFor();
      for (let i = 0; i < 40 && !(await page.evaluate(() => document.activeElement?.getAttribute("role") === "gridcell")); i++) await page.keyboard.press("Tab");
      // From the middle: X takes the middle row, O the two upper corners.
      const press = async (...keys) => { for (const key of keys) await page.keyboard.press(key); };
      const stones = (n) => until(async () => (await page.locator(".men > g").count()) === n, `${n} stones`);
      await press("Enter"); await stones(1);
      await press("ArrowUp", "ArrowLeft", "Enter"); await stones(2);
      await press("ArrowDown", "Enter"); await stones(3);
      await press("ArrowUp", "ArrowRight", "ArrowRight", "Enter"); await stones(4);
      await press("ArrowDown", "Enter"); await stones(5);
      await page.says("X");
      await press("u");
      await stones(4);
    },
  },
  { name: "a 9×9 game of Go to its end with dead stones", sizes: ["desk", "phone"], run: goToItsEnd },
  { name: "a 9×9 game of Go to its end with dead stones, by keyboard alone", sizes: ["desk"], run: goByKeyboard },
  {
    name: "clicks before the answer do not play the other side's stones",
    sizes: ["desk"],
    async run(page) {
      await start(page, "tictactoe");
      await page.evaluate(() => {
        for (const name of ["a1", "b1", "c1"]) document.querySelector(`[role=gridcell][data-name="${name}"]`).dispatchEvent(new MouseEvent("click", { bubbles: true }));
      });
      await until(async () => (await page.locator(".move-list [data-step]").count()) === 2, "the answer");
      const kept = await page.evaluate(() => JSON.parse(localStorage.getItem("tesuji.game")).document);
      assert(/^tictactoe[^~]*~a1\.[abc][1-3]$/.test(kept), `the game is ${kept}`);
    },
  },
  {
    name: "an address does not cost the game on the board, whether it can be read or not",
    sizes: ["desk", "phone"],
    async run(page) {
      await start(page, "tictactoe", { you: "Both" });
      await page.put("b2");
      await page.put("a1");
      const stones = (n) => until(async () => (await page.locator(".men > g").count()) === n, `${n} stones`);
      await page.fresh(link("go(size=99)"));
      await page.locator(".toasts .notice", { hasText: "99" }).waitFor();
      assert(!(await page.locator(".toasts").textContent()).includes("spec"), "the refusal is for players");
      await stones(2);
      // The refusal of the address is a line on the console, as it should be.
      page.errors.splice(0);
      await page.fresh(link("go(size=9)~E5.C3.G7"));
      await stones(3);
      await page.getByRole("button", { name: "Back to my game" }).click();
      await stones(2);
      await page.reload();
      await stones(2);
      await page.getByRole("button", { name: "Back to the game before" }).locator("visible=true").click();
      await stones(3);
    },
  },
  {
    name: "take-back against an agent, reload, an address that restores a position",
    sizes: ["desk"],
    async run(page) {
      await start(page, "tictactoe", { you: "X" });
      await page.put("b2");
      await until(async () => (await page.locator(".move-list button").count()) === 2, "the answer");
      await page.reload();
      await until(async () => (await page.locator(".men > g").count()) === 2, "both stones after a reload");
      await page.getByRole("button", { name: "Take back" }).click();
      await until(async () => (await page.locator(".men > g").count()) === 0, "an empty board");
      await page.fresh(link("tictactoe~b2.a1.c3"));
      await until(async () => (await page.locator(".men > g").count()) === 3, "the position of the address");
      await page.put("a3");
      await until(async () => (await page.locator(".men > g").count()) === 4, "one more stone");
      await page.reload();
      await until(async () => (await page.locator(".men > g").count()) === 4, "the moves made since");
      await page.getByRole("button", { name: "Share" }).click();
      const shared = await until(() => page.evaluate(() => navigator.clipboard.readText()), "an address on the clipboard");
      await page.goto("about:blank");
      await page.evaluate(() => 0);
      await page.goto(shared);
      await until(async () => (await page.locator(".men > g").count()) === 4, "the shared position");
    },
  },
  {
    name: "the strongest agent, which an untouched dialog offers, answers",
    sizes: ["desk"],
    async run(page) {
      await start(page, "othello", {});
      await page.locator("[role=gridcell].answers").first().click();
      await until(async () => (await page.locator(".move-list button").count()) === 2, "the answer");
      await page.locator("[data-seat=first] .turn", { hasText: "Your move" }).waitFor();
    },
  },
  {
    name: "an address and a kept game that make no sense are told, and nothing breaks",
    sizes: ["desk"],
    async run(page) {
      const told = async (hash, text) => {
        await page.fresh(hash);
        await page.locator("body", { hasText: text }).waitFor();
      };
      await told("analyse/garbage", 'unknown game "garbage"');
      await told("proof/go(size%3D9)~E5.E5", "the point is occupied");
      await page.getByRole("button", { name: "Tic-tac-toe: a fork" }).waitFor();
      await told("lab/..%2F..%2Fetc%2Fpasswd", "there is no such experiment");
      await told(`analyse/${encodeURIComponent('go(sgf="/etc/passwd")')}`, "not inside a folder that was granted");
      await told("play/%E0%A4%A", "A new game");
      const kept = { document: "go(size=9)~E5", seats: [{ kind: "agent", agent: "nope", budget: null }, { kind: "agent", agent: "gtp(cmd=\"x\")" }], clock: { left: "x" }, notes: 3 };
      await page.evaluate((text) => { localStorage.setItem("tesuji.game", text); localStorage.setItem("tesuji.problems", text); }, JSON.stringify(kept));
      await page.fresh("play");
      await page.locator(".stuck").waitFor();
      await told("problems", "Problems");
      page.errors = page.errors.filter((text) => !/Failed to load resource/.test(text)); // What the server refused.
    },
  },
  {
    name: "a record out and in",
    sizes: ["desk"],
    async run(page) {
      await page.fresh(link("go(size=9)~E5.C3.G7"));
      await page.locator("[role=grid]").waitFor();
      const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "SGF" }).click()]);
      const text = await (await import("node:fs/promises")).readFile(await download.path(), "utf8");
      assert(text.startsWith("(;"), `not a record: ${text.slice(0, 40)}`);
      await page.fresh("play/new%2Fgo");
      await page.locator("[data-field=size]").selectOption({ label: "9×9" });
      await page.getByRole("button", { name: "Read SGF" }).click();
      await page.locator("dialog textarea, .first-game textarea").fill(text);
      await page.getByRole("button", { name: "Read the record" }).click();
      await until(async () => (await page.locator("dialog").count()) === 0 && (await page.locator(".men > g").count()) === 3, "three stones of the record");
      await page.fresh("play/new%2Fgo");
      await page.getByRole("button", { name: "Read SGF" }).click();
      await page.locator("dialog textarea, .first-game textarea").fill("(;this is not");
      await page.getByRole("button", { name: "Read the record" }).click();
      await page.locator("dialog [role=alert]").waitFor();
      page.errors.length = 0; // The browser reports the refused request.
    },
  },
  {
    name: "resign, pass, review by the move list",
    sizes: ["desk"],
    async run(page) {
      await page.fresh(link("go(size=9)~E5.C3.G7"));
      await page.locator("[role=grid]").waitFor();
      await page.keyboard.press("p");
      await until(async () => (await page.locator(".move-list button").count()) === 4, "the pass in the list");
      await page.locator("[data-step='2']").click();
      await until(async () => (await page.locator(".men > g").count()) === 2, "the position after two moves");
      await page.keyboard.press("End");
      await until(async () => (await page.locator(".men > g").count()) === 3, "the end of the game");
      await page.getByRole("button", { name: "Resign" }).click();
      await page.says("White");
      await page.reload();
      await page.says("White");
    },
  },
  {
    name: "a clock that runs out loses the game",
    sizes: ["desk"],
    async run(page) {
      await page.fresh(link("tictactoe~b2.a1"));
      await page.locator("[role=grid]").waitFor();
      await page.evaluate(() => {
        const game = JSON.parse(localStorage.getItem("tesuji.game"));
        localStorage.setItem("tesuji.game", JSON.stringify({ ...game, clock: { main: 60, increment: 0, left: [1, 60] } }));
      });
      await page.reload();
      await page.says("O wins on time");
    },
  },
  {
    name: "a game whose pieces move, and a game without a board",
    sizes: ["desk", "phone"],
    async run(page) {
      await page.fresh(link("xiangqi"));
      await page.locator("[role=grid]").waitFor();
      const movable = page.locator("[role=gridcell].answers");
      assert((await movable.count()) > 5, "pieces to pick up");
      const sign = () => page.locator(".letter-man text").first().textContent();
      const before = await sign();
      await page.getByRole("button", { name: /on the pieces$/ }).locator("visible=true").click();
      await until(async () => (await sign()) !== before, "other signs on the pieces");
      await movable.last().click();
      await page.locator(".selected-point").waitFor();
      const dot = await page.locator(".board .legal").first().boundingBox();
      await page.mouse.click(dot.x + dot.width / 2, dot.y + dot.height / 2);
      await until(async () => (await page.locator(".move-list button, .move-strip button").count()) > 0, "a move");
      const games = await (await fetch(`${page.base}/api/v1/games`)).json();
      const tree = games.games.find((game) => !game.has_board);
      if (!tree) return;
      await page.fresh(link(tree.document));
      await page.locator(".numbered button").first().click();
      await until(async () => (await page.locator(".path li").count()) === 2, "a step on the path");
    },
  },
  {
    name: "the game of examples/outside, which no file here knows",
    sizes: ["desk"],
    async run(page) {
      const binary = outside();
      if (!binary) return "examples/outside is not built";
      const server = await serve(binary);
      try {
        await page.goto(`${server.url}/#/play/nim`);
        // Ten counters on a board that the game states; a click on a counter takes it and those after it.
        await page.locator("svg.board [role=grid]").waitFor();
        const counters = page.locator(".men > g");
        await until(async () => (await counters.count()) === 10, "ten counters");
        for (let left = 10; left > 0; left = await counters.count()) {
          const open = page.locator("[role=gridcell].answers");
          assert((await open.count()) === Math.min(2, left), "one or two may be taken");
          await open.first().click();
          await until(async () => (await counters.count()) < left, "fewer counters");
        }
        await page.says("First wins");
        await page.reload();
        await page.locator(".result b").waitFor();
      } finally {
        await server.stop();
      }
    },
  },
  {
    name: "the server goes away: the page says so and keeps the game",
    sizes: ["desk"],
    async run(page) {
      await page.fresh(link("tictactoe~b2"));
      await until(async () => (await page.locator(".men > g").count()) === 1, "one stone");
      await page.context().setOffline(true);
      await page.point("a1").click();
      await page.locator(".gone").waitFor();
      await page.context().setOffline(false);
      await page.point("a1").click();
      await until(async () => (await page.locator(".men > g").count()) === 2, "the move after all");
      await until(async () => (await page.locator(".gone").count()) === 0, "the bar gone");
      page.errors.length = 0; // The browser reports the failed request.
    },
  },
];
