// What happens in an iteration, in one plain sentence, and the sums that a reader can check.
import type { IterationStep, Outcome, Player, Side, Tree, TreeChild, TreeNode } from "../../api";
import { sideOf } from "../../board/pieces";
import { count, percent, whole } from "../../format";
import { pathOf, type Phase } from "./scope";

/** Whether a network judges the leaves of a search, in place of playouts. */
export const judges = (tree: Tree): boolean => /\bleaf=net\b/.test(tree.agent);

export const phases = (network: boolean): { phase: Phase; name: string }[] => [
  { phase: 1, name: "Select" }, { phase: 2, name: "Expand" }, { phase: 3, name: network ? "Judge" : "Play out" }, { phase: 4, name: "Back up" },
];

export const three = (x: number): string => x.toFixed(3);

/** The moves that selection chose, and the one that is new in the tree. */
export function parts(step: IterationStep): { selected: string[]; entered: string | null } {
  const path = pathOf(step);
  const { entered } = step.record;
  if (entered === null || entered === 0) return { selected: path, entered: null };
  return { selected: path.slice(0, entered - 1), entered: path[entered - 1] ?? null };
}

/** The few words beside a phase. */
export function brief(step: IterationStep, phase: Phase, network = false): string {
  const { selected, entered } = parts(step);
  const { playouts, simulated } = step.record;
  if (phase === 1) return selected.length === 0 ? "the root" : selected.slice(0, 4).join(" ") + (selected.length > 4 ? " …" : "");
  if (phase === 2) return simulated.length > 0 ? count(simulated.length, "child").replace("childs", "children") : (entered ?? "nothing new");
  if (phase === 3 && network && playouts.length === 0) return step.outcome ? "by the rules" : "by the network";
  if (phase === 3) return playouts.length === 0 ? "none" : playouts.length > 1 ? count(playouts.length, "playout") : count(step.playout.length, "move");
  return short(step.outcome) ?? `${result(step).toFixed(2)}`;
}

const short = (outcome: Outcome | null): string | null =>
  outcome === null ? null : outcome.text.replace(" wins by ", " +").replace(/ wins$/, " wins");

/** What the root's side got from an iteration, for each visit. */
export function result(step: IterationStep): number {
  const { gain, path } = step.record;
  if (gain.visits === 0) return 0;
  const reward = gain.reward / gain.visits;
  return path[0]?.player === "second" ? 1 - reward : reward;
}

/** One sentence on what happens in a phase. */
export function sentence(step: IterationStep, phase: Phase, sides: readonly [Side, Side], network = false): string {
  const { selected, entered } = parts(step);
  const { record, outcome } = step;
  const name = (player: Player) => sideOf(sides, player).name;
  if (phase === 1) {
    if (selected.length === 0) return "Selection stays at the root: a move there has not been tried yet.";
    return `From the root, each time the child with the highest sum: ${selected.join(", ")}.`;
  }
  if (phase === 2) {
    if (record.simulated.length > 0) return `The last node gets ${whole(record.simulated.length)} children, and each of them is simulated once.`;
    if (entered === null) return outcome && record.playouts.length === 0 ? "The game has ended here: there is nothing to expand." : "Nothing is new in the tree: the path ends at a node that is known.";
    return `${entered} is new in the tree: no iteration has been there before.`;
  }
  const nodes = record.path.length;
  if (phase === 3) {
    if (network && record.playouts.length === 0 && !outcome) return `There is no playout: the network looks at the ${entered ? "new leaf" : "position"} and gives ${name(record.path[0]?.player ?? "first")} ${percent(result(step))}.`;
    if (record.playouts.length === 0) return `There is no playout: ${outcome ? `${outcome.text} by the rules` : "the value of the node is known"}.`;
    if (record.playouts.length > 1) return `${whole(record.playouts.length)} playouts, one for each child; the board shows the first.`;
    if (step.playout.length === 0) return `The playout needs no move. ${outcome?.text ?? ""}.`.replace(" .", "");
    return `From ${entered ? "the new leaf" : "here"} both sides play to the end in ${count(step.playout.length, "move")}. ${outcome ? `${outcome.text}.` : ""}`.trim();
  }
  const got = result(step);
  const told = outcome?.text ?? `The result is ${three(got)} for ${name(record.path[0]?.player ?? "first")}`;
  return `${told}. The ${nodes === 1 ? "root adds" : `${whole(nodes)} nodes of the path each add`} ${record.gain.visits > 1 ? `these ${whole(record.gain.visits)} results` : "this one result"}. Nothing else changes.`;
}

/** The exploration term as the recipe has it, for the head of a column. */
export function rule(tree: Tree, visits: number): string {
  const ucb1 = /select=ucb1\(c=([\d.]+)\)/.exec(tree.agent);
  if (ucb1) return `${ucb1[1] === "1.0" ? "" : `${Number(ucb1[1])} `}√(2 ln ${whole(visits)} / N), what is not known`;
  const puct = /select=puct\(c=([\d.]+)\)/.exec(tree.agent);
  if (puct) return `${puct[1] === "1.0" ? "" : `${Number(puct[1])} · `}prior · √${whole(visits)} / (1 + N), what is not known`;
  return "what the rule adds for few visits";
}

/** The name of the rule, for sentences. */
export function ruleName(tree: Tree): string {
  const name = /select=([\w-]+)/.exec(tree.agent)?.[1] ?? "the rule";
  return ({ ucb1: "UCB1", "ucb1-tuned": "UCB1-Tuned", puct: "PUCT", rave: "RAVE", "rave-hand": "RAVE" } as Record<string, string>)[name] ?? name;
}

/** The child that selection takes: the highest sum of those that are open. */
export function highest(node: TreeNode): TreeChild | null {
  const open = node.children.filter((child) => child.state === "open" && child.selection !== null);
  return open.reduce<TreeChild | null>((best, child) => (best === null || (child.selection?.total ?? 0) > (best.selection?.total ?? 0) ? child : best), null);
}

/** Whether no open child has a higher sum; several may be equal. */
export function isHighest(node: TreeNode, child: TreeChild): boolean {
  const most = highest(node)?.selection?.total;
  return most !== undefined && (child.selection?.total ?? -Infinity) >= most - 1e-9;
}

/** Whether a sum can be compared: that of a child which was tried, or which a network or an evaluation gives a value. */
export const hasSum = (child: TreeChild): boolean => child.selection !== null && (child.visits > 0 || child.selection.total < 100);

/** The children in the order of a table: by their sums, untried ones last; of equal ones the chosen one first. */
export function ordered(node: TreeNode, by: "sum" | "visits", chosen: string | null = null): TreeChild[] {
  const first = (child: TreeChild): number => Number(child.move === chosen);
  const key = (child: TreeChild): number => (by === "visits" ? child.visits : hasSum(child) ? (child.selection?.total ?? -1) : -1);
  return [...node.children].sort((a, b) => key(b) - key(a) || first(b) - first(a) || b.visits - a.visits || (b.prior ?? 0) - (a.prior ?? 0));
}

/** How a mean moves when an iteration's results are added: N·Q + r over N + n. */
export interface Backup { name: string; before: { visits: number; value: number | null }; after: { visits: number; value: number | null }; added: number; gained: number }

export function backups(step: IterationStep): Backup[] {
  const { path, gain } = step.record;
  const got = result(step) * gain.visits;
  return path.map((node, depth) => {
    const before = step.choices[depth];
    return {
      name: node.move ?? "root",
      before: { visits: before?.visits ?? node.visits - gain.visits, value: before?.value ?? null },
      after: { visits: node.visits, value: node.value },
      added: got,
      gained: gain.visits,
    };
  });
}
