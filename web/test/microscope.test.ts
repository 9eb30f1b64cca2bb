import { describe, expect, it, vi } from "vitest";
import type { IterationStep, PathStep, Trace, Tree, TreeChild, TreeNode, TreePart } from "../src/api";
import { span } from "../src/rooms/microscope/curves";
import { find, layout, paint, step as stepBy } from "../src/rooms/microscope/layout";
import { page } from "../src/rooms/microscope/offline";
import { chosen, owners } from "../src/rooms/microscope/position";
import type { Requests } from "../src/rooms/microscope/requests";
import { Scope } from "../src/rooms/microscope/scope";
import { readTour, show } from "../src/rooms/microscope/tours";
import { backups, brief, hasSum, highest, isHighest, judges, ordered, phases, result, rule, sentence } from "../src/rooms/microscope/words";
import tour from "../../crates/web/tours/li-figure-3.json";

const sides: Tree["sides"] = [{ name: "Black", letter: "X", symbol: "●", paint: "black" }, { name: "White", letter: "O", symbol: "○", paint: "white" }];
const tree = (iterations: number): Tree => ({
  id: "t", document: "othello", sides, agent: "mcts(select=ucb1(c=0.7),solver=false)", short: "mcts", seed: 1, turn: "first", iterations, nodes: iterations,
  memory_bytes: 1, best: "a", value: 0.5, bounds: [0, 1], steps: iterations, no_steps: null, stopped: "iterations",
});
const child = (move: string, visits: number, mean: number, explore: number, some: Partial<TreeChild> = {}): TreeChild => ({
  move, to: 0, from: null, visits, value: mean, mean, bounds: [0, 1], confidence: null,
  selection: { exploitation: mean, exploration: explore, amaf: 0, bias: 0, total: mean + explore }, amaf: null, prior: null, minimax: null, state: "open", child_count: 0, ...some,
});
const node = (visits: number, children: TreeChild[], iteration = visits): TreeNode => ({
  iteration, path: [], turn: "first", visits, value: 0.5, bounds: [0, 1], outcome: null, minimax: null, minimax_cut: false, children, child_count: children.length,
});
const onPath = (move: string | null, visits: number, value: number, some: Partial<PathStep> = {}): PathStep => ({
  move, to: move === null ? null : Number(move.charCodeAt(0) - 97), from: null, player: "first", visits, value, bounds: [0, 1], ...some,
});
const iteration = (number: number, some: Partial<IterationStep> = {}): IterationStep => ({
  record: {
    iteration: number, path: [onPath(null, number, 0.5), onPath("a", 5, 0.6), onPath("b", 1, 1, { player: "second" })], expanded: [], entered: 2, simulated: [],
    playouts: [{ from: null, moves: ["c", "d"], score: 1, reward: 1 }], gain: { visits: 1, reward: 1 },
  },
  choices: [node(number - 1, [child("a", 4, 0.5, 0.3)], number - 1), { ...node(4, [child("b", 0, 0, 9)]), value: 0.5 }],
  leaf: [], playout: [{ move: "c", player: "first", to: 2, from: null }, { move: "d", player: "second", to: 3, from: null }], end: [{ owner: "first", letter: "X", symbol: "●" }, null],
  outcome: { winner: "first", score: 1, points: 4, reason: "rules", text: "Black wins by 4" }, ...some,
});
const part: TreePart = {
  iteration: 100, path: [],
  nodes: [
    { parent: null, move: null, depth: 0, visits: 100, value: 0.5, bounds: [0, 1], child_count: 4 },
    { parent: 0, move: "b", depth: 1, visits: 30, value: 0.2, bounds: [0, 1], child_count: 3 },
    { parent: 0, move: "a", depth: 1, visits: 60, value: 0.7, bounds: [1, 1], child_count: 0 },
    { parent: 1, move: "c", depth: 2, visits: 20, value: 0.3, bounds: [0, 1], child_count: 0 },
  ],
};

describe("the icicle", () => {
  it("gives width by visits, the most visited first, and one pale block for the rest", () => {
    const cells = layout(part, 1000, 40, 4);
    const of = (name: string) => cells.find((cell) => !cell.rest && cell.path.join(" ") === name);
    expect([of("")?.width, of("a")?.x, of("a")?.width, of("b")?.x, of("b")?.width]).toEqual([1000, 0, 599, 600, 299]);
    expect(of("b c")?.x).toBe(600);
    expect(of("b c")!.y).toBeGreaterThan(of("b")!.y);
    expect(cells.filter((cell) => cell.rest).map((cell) => [cell.path.join(" "), Math.round(cell.x)])).toEqual([["b", 799], ["", 900]]);
    expect(layout(part, 100, 40, 1).every((cell) => cell.node.depth <= 1)).toBe(true);
  });
  it("draws no node that cannot be seen", () => {
    expect(layout(part, 8, 40, 4).map((cell) => [cell.path.join(" "), cell.rest])).toEqual([["", false], ["a", false], ["", true]]);
  });
  it("marks what is proved, and doubts one playout", () => {
    expect(paint({ value: 1, visits: 1, bounds: [0, 1] }).fill).toBe("value-7");
    expect(paint({ value: 0.1, visits: 1, bounds: [0, 0] }).fill).toBe("proved-lost");
  });
  it("is walked with arrow keys", () => {
    expect(stepBy(part, [], "ArrowRight")).toEqual(["a"]);
    expect(stepBy(part, ["a"], "ArrowDown")).toEqual(["b"]);
    expect(stepBy(part, ["a"], "ArrowUp")).toBeNull();
    expect(stepBy(part, ["b", "c"], "ArrowLeft")).toEqual(["b"]);
    expect(stepBy(part, [], "ArrowLeft")).toBeNull();
    expect([find(part, ["b", "c"]), find(part, ["z"])]).toEqual([3, null]);
  });
});

describe("an iteration", () => {
  const step = iteration(10);
  it("is told in words, phase by phase", () => {
    expect([1, 2, 3, 4].map((phase) => brief(step, phase as 1))).toEqual(["a", "b", "2 moves", "Black +4"]);
    expect(sentence(step, 1, sides)).toBe("From the root, each time the child with the highest sum: a.");
    expect(sentence(step, 2, sides)).toContain("b is new");
    expect(sentence(step, 4, sides)).toContain("The 3 nodes of the path each add this one result.");
  });
  it("is told of a network that judges in place of a playout", () => {
    const judged = { ...iteration(10), outcome: null, playout: [] };
    judged.record = { ...judged.record, playouts: [] };
    expect(phases(true).map(({ name }) => name)).toEqual(["Select", "Expand", "Judge", "Back up"]);
    expect([brief(judged, 3, true), brief(judged, 3), brief({ ...judged, outcome: step.outcome }, 3, true)]).toEqual(["by the network", "none", "by the rules"]);
    expect(sentence(judged, 3, sides, true)).toBe("There is no playout: the network looks at the new leaf and gives Black 100.0\u00a0%.");
    expect(sentence({ ...judged, outcome: step.outcome }, 3, sides, true)).toContain("by the rules");
    expect([judges(tree(10)), judges({ ...tree(10), agent: "mcts(select=puct(c=1.5),leaf=net(batch=1))" })]).toEqual([false, true]);
  });
  it("adds one result to each node of its path, as a sum that can be checked", () => {
    const rows = backups(step);
    expect(rows.map((row) => [row.name, row.before.visits, row.after.visits])).toEqual([["root", 9, 10], ["a", 4, 5], ["b", 0, 1]]);
    const [, a] = rows;
    expect(((a?.before.value ?? 0) * 4 + (a?.added ?? 0)) / 5).toBeCloseTo(a?.after.value ?? 0);
    const second = iteration(10);
    second.record.path[0] = onPath(null, 10, 0.5, { player: "second" });
    expect([result(step), result(second)]).toEqual([1, 0]);
  });
  it("is drawn as numbered stones, the new leaf dashed", () => {
    expect(chosen(step, false).ghosts).toEqual([{ point: 0, owner: "first", number: 1 }]);
    expect(chosen(step, true).marks.map(({ point, kind, text }) => [point, kind, text])).toEqual([[0, "path", undefined], [0, "number", "1"], [1, "leaf", undefined], [1, "number", "2"]]);
    expect(owners([...(step.end ?? []), { owner: "first", letter: "X", symbol: "●" }], [null, null, { owner: "first", letter: "X", symbol: "●" }], sides)).toEqual([{ point: 0, kind: "owner", text: "black" }]);
  });
});

describe("the children of a node", () => {
  const all = node(30, [child("a", 10, 0.5, 0.2), child("b", 15, 0.45, 0.3), child("c", 0, 0, 1e6), child("d", 5, 0.9, 0.9, { state: "settled" })]);
  it("are ordered by their sums, untried ones last", () => {
    expect(ordered(all, "sum").map(({ move }) => move)).toEqual(["d", "b", "a", "c"]);
    expect(ordered(all, "visits").map(({ move }) => move)).toEqual(["b", "a", "d", "c"]);
  });
  it("come by their sums also where they were not tried, if a network gives them one", () => {
    const judged = node(30, [child("a", 10, 0.5, 0.2), child("b", 0, 0.4, 0.8, { prior: 0.3 }), child("c", 0, 0.4, 0.1, { prior: 0.1 }), child("d", 0, 0.4, 0.1, { prior: 0.2 })]);
    expect(ordered(judged, "sum").map(({ move }) => move)).toEqual(["b", "a", "d", "c"]);
    expect([judged.children[1]!, all.children[2]!].map(hasSum)).toEqual([true, false]);
  });
  it("put the one that was taken first among equals", () => {
    const equal = node(3, [child("a", 1, 0, 2.5), child("b", 1, 0, 2.5), child("c", 1, 0, 2.5)]);
    expect(ordered(equal, "sum", "c").map(({ move }) => move)).toEqual(["c", "a", "b"]);
    expect([isHighest(equal, equal.children[2]!), isHighest(all, all.children[0]!)]).toEqual([true, false]);
  });
  it("say which one selection takes", () => {
    expect(highest({ ...all, children: all.children.filter(({ move }) => move !== "c") })?.move).toBe("b");
    expect(rule({ ...tree(10), agent: "mcts(select=puct(c=1.5))" }, 699)).toBe("1.5 · prior · √699 / (1 + N), what is not known");
    expect(rule(tree(10), 1247)).toBe("0.7 √(2 ln 1,247 / N), what is not known");
  });
});

describe("curves", () => {
  it("have an axis of whole tenths", () => {
    const trace: Trace = { paths: ["a"], every: 1, settled: null, looks: [0.41, 0.47, 0.63].map((value, i) => ({ iteration: i + 1, best: "a", nodes: [{ visits: 1, value }] })) };
    expect(span(trace)).toEqual([0.4, 0.7]);
    expect(span({ ...trace, looks: [] })).toEqual([0, 1]);
  });
});

function fake(iterations = 100) {
  let now = iterations;
  const asked: string[] = [];
  const note = <T>(what: string, value: T): Promise<T> => {
    asked.push(what);
    return Promise.resolve(value);
  };
  const ask: Requests = {
    search: () => note("search", tree(now)),
    more: (_, n) => note(`more ${n}`, tree((now += n))),
    node: (_, path, __, at) => note(`node ${path.join(" ")}@${at ?? "end"}`, node(at ?? now, [child("a", 5, 0.5, 0.1)])),
    part: (_, path, __, at) => note(`part ${path.join(" ")}@${at ?? "end"}`, { ...part, path: [...path] }),
    step: (_, at) => note(`step ${at}`, iteration(at)),
    iterations: () => note("iterations", { records: [] }),
    trace: (_, paths) => note(`trace ${paths.join(",")}`, { paths: [...paths], every: 1, looks: [{ iteration: now, best: "a", nodes: paths.map(() => ({ visits: 1, value: 0.5 })) }], settled: 1 }),
    forget: () => note("forget", undefined),
  };
  return { ask, asked };
}

describe("the microscope", () => {
  it("searches, then loads only what is shown", async () => {
    const { ask, asked } = fake();
    const scope = new Scope(ask);
    await scope.open({ document: "othello" });
    expect(asked).toEqual(["search", "part @end", "node @end", "node @end", "trace a"]);
    expect(scope.now()).toMatchObject({ at: null, busy: null, error: null });
  });

  it("steps forwards and back, and asks for each iteration once", async () => {
    const { ask, asked } = fake();
    const scope = new Scope(ask);
    await scope.open({ document: "othello" });
    asked.length = 0;
    for (const at of [1, 2, 3, 2, 1]) await scope.seek(at);
    expect(asked.filter((what) => what.startsWith("step"))).toEqual(["step 1", "step 2", "step 3"]);
    expect(scope.now().step?.record.iteration).toBe(1);
    // What selection saw comes with the iteration: no node is asked for.
    expect(asked.some((what) => what.startsWith("node"))).toBe(false);
    await scope.seek(1000);
    expect(scope.now().at).toBe(100);
  });

  it("asks only for the last place while a slider moves", async () => {
    const { ask, asked } = fake();
    const scope = new Scope(ask);
    await scope.open({ document: "othello" });
    asked.length = 0;
    await Promise.all([10, 20, 30, 40, 50].map((at) => scope.seek(at)));
    await vi.waitFor(() => expect(scope.now().step?.record.iteration).toBe(50));
    expect(asked.filter((what) => what.startsWith("step")).length).toBeLessThan(4);
  });

  it("searches on in parts, and can be stopped", async () => {
    const { ask, asked } = fake();
    const scope = new Scope(ask);
    await scope.open({ document: "othello" });
    await scope.grow(1000);
    const sum = asked.filter((what) => what.startsWith("more")).reduce((all, what) => all + Number(what.slice(5)), 0);
    expect([sum, scope.now().tree?.iterations, scope.now().growing]).toEqual([1000, 1100, false]);
    const going = scope.grow(1_000_000);
    scope.stop();
    await going;
    expect(scope.now().tree?.iterations).toBeLessThan(100_000);
  });

  it("follows a tour", async () => {
    const { ask, asked } = fake(600);
    const scope = new Scope(ask);
    await scope.open({ document: tour.document });
    const { stops } = readTour(JSON.stringify(tour));
    await show(scope, stops[1]!);
    expect([scope.now().at, scope.now().phase]).toEqual([3, 3]);
    await show(scope, stops[stops.length - 1]!);
    expect(scope.now()).toMatchObject({ at: null, path: ["b2"], watch: ["a3", "b2", "b2 a3"] });
    expect(asked.filter((what) => what.includes("b2"))).toEqual(["trace a3,b2,b2 a3,a", "node b2@end"]);
  });
});

describe("a tour as one page", () => {
  it("has every stop with its drawing, and links from stop to stop", () => {
    const one = { ...readTour(JSON.stringify(tour)), title: "A <b> & c" };
    const text = page(one, one.stops.map((_, i) => `<svg id="drawing-${i}"/>`), "a{color:red}</style>");
    expect(one.stops.every((stop, i) => text.includes(stop.title) && text.includes(`drawing-${i}`) && text.includes(`id="stop-${i + 1}"`))).toBe(true);
    expect(text).toContain("A &lt;b&gt; &amp; c");
    expect(text.match(/<\/style>/g)).toHaveLength(1);
    expect(text).not.toMatch(/<script|https?:/);
  });
});

describe("a tour from a file", () => {
  it("is read, or refused with what is wrong", () => {
    expect(readTour(JSON.stringify(tour)).stops.length).toBeGreaterThan(3);
    const wrong = (change: object) => () => readTour(JSON.stringify({ ...tour, ...change }));
    expect(() => readTour("{")).toThrow("it is not JSON");
    expect(wrong({ agent: 3 })).toThrow('"agent" must be a text');
    expect(wrong({ seed: -1 })).toThrow('"seed" must be a whole number');
    expect(wrong({ stops: [] })).toThrow('"stops" must be a list');
    expect(wrong({ stops: [{ title: "a", text: "b", view: "film" }] })).toThrow('the "view" of stop 1');
    expect(wrong({ stops: [{ title: "a", text: "b", view: "step", phase: 7 }] })).toThrow('the "phase" of stop 1');
    expect(wrong({ stops: [{ title: "a", text: "b", view: "tree", path: "b2" }] })).toThrow("lists of texts");
  });
});
