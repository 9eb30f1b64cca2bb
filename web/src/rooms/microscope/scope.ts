// The microscope without its pictures: one tree on the server, the iteration and the node that are looked
// at, and what is known of them.
//
// Nothing is loaded but what is shown: one part of the tree, the children of one node, one iteration.
// Iterations that were looked at are kept, a bounded number of them, so that stepping back costs nothing.
// Answers that come too late are dropped; while a slider moves, only the last place is asked for.
import type { IterationStep, NewTree, Trace, Tree, TreeNode, TreePart } from "../../api";
import { Refusal } from "../../client";
import { joined, type Requests, type Shape } from "./requests";

/** Select, expand, play out, back up. */
export type Phase = 1 | 2 | 3 | 4;

export interface View {
  question: NewTree | null;
  tree: Tree | null;
  /** The iteration that is looked at; null is the end of the search. */
  at: number | null;
  phase: Phase;
  step: IterationStep | null;
  part: TreePart | null;
  /** The node whose children are shown, before the iteration that is looked at. */
  node: TreeNode | null;
  path: string[];
  zoom: string[];
  trace: Trace | null;
  watch: string[];
  /** What is being done, in words. */
  busy: string | null;
  growing: boolean;
  /** Whether what is shown is not yet what was asked for. */
  loading: boolean;
  error: string | null;
}

export const EMPTY: View = {
  question: null, tree: null, at: null, phase: 1, step: null, part: null, node: null, path: [], zoom: [], trace: null, watch: [],
  busy: null, growing: false, loading: false, error: null,
};

/** Children that a table shows, steps and parts that are kept, looks of a curve, nodes with a curve. */
export const MOST_CHILDREN = 40;
const MOST_KEPT = 64;
const LOOKS = 120;
const MOST_CURVES = 24;
/** Iterations of one request while a search goes on: the first, and the least time of the next in ms. */
const CHUNK = 250;
const CHUNK_TIME = 250;

const isPrefix = (short: readonly string[], long: readonly string[]): boolean => short.every((move, i) => long[i] === move);

/** The moves of an iteration's path. */
export const pathOf = (step: IterationStep): string[] => step.record.path.flatMap((node) => (node.move === null ? [] : [node.move]));

export class Scope {
  private view: View = EMPTY;
  private readonly watchers = new Set<(view: View) => void>();
  /** Changes with every tree and every place, so that late answers are known. */
  private turn = 0;
  private working = false;
  private readonly steps = new Map<number, IterationStep>();
  private readonly parts = new Map<string, TreePart>();
  private shape: Shape = { depth: 8, nodes: 600, min_visits: 1 };
  private width = 900;

  private readonly ask: Requests;
  private readonly pending = new Set<Promise<unknown>>();

  constructor(requests: Requests) {
    const note = <T>(asked: Promise<T>): Promise<T> => {
      this.pending.add(asked);
      const done = (): void => void this.pending.delete(asked);
      asked.then(done, done);
      return asked;
    };
    this.ask = {
      search: (...what) => note(requests.search(...what)),
      more: (...what) => note(requests.more(...what)),
      node: (...what) => note(requests.node(...what)),
      part: (...what) => note(requests.part(...what)),
      step: (...what) => note(requests.step(...what)),
      iterations: (...what) => note(requests.iterations(...what)),
      trace: (...what) => note(requests.trace(...what)),
      forget: (id) => requests.forget(id),
    };
  }

  /** Has the server drop a tree, once nothing is asked of it any more. */
  private forget({ id }: Tree): void {
    void Promise.allSettled([...this.pending]).then(() => this.ask.forget(id).catch(() => undefined));
  }

  now(): View {
    return this.view;
  }

  subscribe(watcher: (view: View) => void): () => void {
    this.watchers.add(watcher);
    return () => void this.watchers.delete(watcher);
  }

  private set(some: Partial<View>): void {
    this.view = { ...this.view, ...some };
    this.watchers.forEach((watcher) => watcher(this.view));
  }

  /** Nodes narrower than three pixels are not asked for. */
  fit(width: number, depth: number): void {
    if (width === this.width && depth === this.shape.depth) return;
    this.width = width;
    this.shape = { ...this.shape, depth };
    this.parts.clear();
    if (this.view.tree) void this.look();
  }

  /** Searches, and shows the end of the search. */
  async open(question: NewTree): Promise<void> {
    const turn = ++this.turn;
    const old = this.view.tree;
    if (old) this.forget(old);
    this.steps.clear();
    this.parts.clear();
    this.set({ ...EMPTY, question, busy: "Searching" });
    try {
      const tree = await this.ask.search(question);
      if (turn !== this.turn) return;
      this.set({ tree, busy: null });
      await this.look();
      await this.drawCurves();
    } catch (error) {
      if (turn === this.turn) this.failed(error);
    }
  }

  private failed(error: unknown): void {
    // A tree that the server has dropped is grown again from its seed.
    if (error instanceof Refusal && error.code === "not_found" && this.view.tree && this.view.question && /no such tree/.test(error.message)) {
      const { question, tree } = this.view;
      this.set({ tree: null });
      void this.open({ ...question, iterations: tree.iterations });
      return;
    }
    this.set({ busy: null, growing: false, error: error instanceof Error ? error.message : String(error) });
  }

  /** The number of iterations that is shown. */
  shown(): number {
    return this.view.at ?? this.view.tree?.iterations ?? 0;
  }

  /**
   * Goes to an iteration, or to the end; out of range is the nearest. The children of this node are shown:
   * the root if it is left out, since others may not be there yet.
   */
  async seek(at: number | null, phase: Phase = 1, path: string[] = []): Promise<void> {
    const { tree, zoom } = this.view;
    if (!tree) return;
    const wanted = at === null || tree.steps === 0 ? null : Math.max(1, Math.min(tree.steps, at));
    // A tree only grows: what is drawn now is there later too.
    const later = (wanted ?? tree.iterations) >= this.shown();
    this.set({ at: wanted, phase, path, zoom: later ? zoom : [], error: null, ...(wanted === null ? { step: null } : {}) });
    await this.look();
  }

  setPhase(phase: Phase): void {
    this.set({ phase });
  }

  /** Shows the children of a node. */
  async focus(path: string[]): Promise<void> {
    this.set({ path });
    await this.look();
  }

  /** Draws the tree from a node on. */
  async zoomTo(path: string[]): Promise<void> {
    this.set({ zoom: path, path });
    await this.look();
  }

  /** Loads what is shown now. While it loads, only the last wish counts. */
  private async look(): Promise<void> {
    this.turn += 1;
    if (this.working) return;
    this.working = true;
    this.set({ loading: true });
    try {
      for (let done = -1; done !== this.turn;) {
        done = this.turn;
        await this.load(done);
      }
    } finally {
      this.working = false;
      this.set({ loading: false });
    }
  }

  private async load(turn: number): Promise<void> {
    const { tree, at, path, zoom } = this.view;
    if (!tree) return;
    try {
      const step = at === null ? null : await this.stepAt(tree.id, at);
      if (turn !== this.turn) return;
      const part = await this.partAt(tree, at, zoom);
      if (turn !== this.turn) return;
      const node = await this.nodeAt(tree.id, at, path, step);
      if (turn !== this.turn) return;
      this.set({ step, part, node, error: null });
    } catch (error) {
      if (turn !== this.turn) return;
      // A node that is not there yet at this iteration: its parent is.
      if (error instanceof Refusal && error.code === "not_found" && (path.length > 0 || zoom.length > 0)) {
        const shorter = (moves: string[]) => moves.slice(0, -1);
        this.set({ path: path.length > 0 ? shorter(path) : path, zoom: zoom.length > path.length - 1 ? shorter(zoom) : zoom });
        this.turn += 1;
        return;
      }
      this.failed(error);
    }
  }

  private async stepAt(id: string, at: number): Promise<IterationStep> {
    const known = this.steps.get(at);
    if (known) return known;
    const step = await this.ask.step(id, at);
    keep(this.steps, at, step);
    return step;
  }

  private async partAt(tree: Tree, at: number | null, zoom: string[]): Promise<TreePart> {
    const key = `${at ?? tree.iterations} ${joined(zoom)}`;
    const known = this.parts.get(key);
    if (known) return known;
    const total = zoom.length === 0 ? (at ?? tree.iterations) : (this.view.part?.nodes[0]?.visits ?? tree.iterations);
    const min_visits = Math.max(1, Math.floor((3 * total) / this.width));
    const part = await this.ask.part(tree.id, zoom, { ...this.shape, min_visits: zoom.length === 0 ? min_visits : 1 }, at ?? undefined);
    keep(this.parts, key, part);
    return part;
  }

  private async nodeAt(id: string, at: number | null, path: string[], step: IterationStep | null): Promise<TreeNode> {
    // What selection saw is the node before the iteration.
    const choice = step && isPrefix(path, pathOf(step)) ? step.choices[path.length] : undefined;
    return choice ?? this.ask.node(id, path, MOST_CHILDREN, at ?? undefined);
  }

  /** Curves of the most visited moves of the root and of the watched nodes. */
  private async drawCurves(): Promise<void> {
    const { tree, watch } = this.view;
    if (!tree || tree.steps === 0) return;
    const turn = tree.iterations;
    const root = await this.ask.node(tree.id, [], MOST_CURVES);
    if (this.view.tree?.id !== tree.id) return;
    const moves = root.children.filter((child) => child.visits > 0).map((child) => child.move);
    const paths = [...new Set([...watch, ...moves])].slice(0, MOST_CURVES + watch.length);
    const trace = await this.ask.trace(tree.id, paths, LOOKS);
    if (this.view.tree?.id === tree.id && this.view.tree.iterations === turn) this.set({ trace });
  }

  /** Watches a node over time, or no longer. */
  async toggleWatch(path: readonly string[]): Promise<void> {
    const name = joined(path);
    const { watch } = this.view;
    await this.setWatch(watch.includes(name) ? watch.filter((other) => other !== name) : [...watch, name]);
  }

  async setWatch(watch: string[]): Promise<void> {
    this.set({ watch });
    await this.drawCurves().catch((error: unknown) => this.failed(error));
  }

  /** Searches on by this number of iterations, and shows the tree as it grows. */
  async grow(iterations: number): Promise<void> {
    if (!this.view.tree || this.view.growing) return;
    const id = this.view.tree.id;
    this.set({ growing: true, at: null, step: null, error: null });
    let [left, chunk] = [iterations, Math.min(iterations, CHUNK)];
    try {
      while (left > 0 && this.view.growing && this.view.tree?.id === id) {
        const began = performance.now();
        const before = this.view.tree.iterations;
        const tree = await this.ask.more(id, chunk);
        if (this.view.tree?.id !== id) return;
        this.set({ tree });
        await this.look();
        await this.append(tree);
        left -= chunk;
        if (tree.iterations < before + chunk) break;
        if (performance.now() - began < CHUNK_TIME) chunk *= 2;
        chunk = Math.max(1, Math.min(left, chunk));
      }
      this.set({ growing: false });
      await this.drawCurves();
    } catch (error) {
      this.failed(error);
    }
  }

  /** Adds a look at the watched nodes to their curves. */
  private async append(tree: Tree): Promise<void> {
    const { trace } = this.view;
    if (!trace) return;
    const nodes = await Promise.all(trace.paths.map(async (path) => {
      const moves = path.split(" ").filter((move) => move !== "");
      return this.ask.node(tree.id, moves, 0).then(({ visits, value }) => ({ visits, value }), () => ({ visits: 0, value: null }));
    }));
    const looks = [...trace.looks, { iteration: tree.iterations, best: tree.best, nodes }];
    // A long search keeps every second look.
    const most = 4 * LOOKS;
    this.set({ trace: { ...trace, settled: null, looks: looks.length > most ? looks.filter((_, i) => i % 2 === looks.length % 2) : looks } });
  }

  stop(): void {
    this.set({ growing: false });
  }

  close(): void {
    const { tree } = this.view;
    this.turn += 1;
    this.view = EMPTY;
    if (tree) this.forget(tree);
  }
}

/** Keeps the newest entries of a map. */
function keep<K, V>(map: Map<K, V>, key: K, value: V): void {
  map.set(key, value);
  for (const old of map.keys()) {
    if (map.size <= MOST_KEPT) break;
    map.delete(old);
  }
}
