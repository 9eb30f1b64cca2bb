// The children of a node: why selection goes where it goes (Q + explore = UCB), Lin's viewer (confidence
// bounds, minimax node), or, while results are backed up, how the means of the path move.
import type { IterationStep, Tree, TreeChild, TreeNode } from "../../api";
import { whole } from "../../format";
import { Segments } from "../../parts";
import { paint, settled } from "./layout";
import type { Scope, View } from "./scope";
import { backups, hasSum, highest, isHighest, ordered, rule, ruleName, three } from "./words";

export type Columns = "sum" | "bounds";
const CHOICES: { value: Columns; label: string }[] = [{ value: "sum", label: "Sums" }, { value: "bounds", label: "Bounds and minimax" }];
const ROWS = 40;

interface Props { view: View; scope: Scope; tree: Tree; columns: Columns; onColumns: (columns: Columns) => void }

export function Children({ view, scope, tree, columns, onColumns }: Props) {
  const { node, step, phase } = view;
  const path = node?.path.map((ply) => ply.move) ?? [];
  if (step && phase === 4) return <Backups step={step} />;
  if (!node) return <div class="card pad muted children-box">The children come in a moment.</div>;
  const taken = step?.record.path[path.length + 1]?.move ?? null;
  const isChoice = step !== null && step.choices[path.length] === node;
  const best = highest(node);
  const chosen = isChoice ? taken : (best?.move ?? null);
  const children = ordered(node, columns === "sum" ? "sum" : "visits", chosen).slice(0, ROWS);
  const open = (child: TreeChild): void => void scope.focus([...path, child.move]);
  return (
    <section class="card children-box" aria-label="Children of the node">
      <div class="between head">
        <h2>{node.children.length === 0 ? (step ? "No children yet" : "No children") : isChoice && taken ? `Why ${taken}?` : path.length === 0 ? "The moves of the root" : `After ${path.join(" ")}`}</h2>
        <span class="caption only-desk grow">{says(node, isChoice ? taken : null, tree)}</span>
        <Segments label="Columns" value={columns} choices={CHOICES} onChange={onColumns} />
      </div>
      {node.children.length === 0 && <p class="pad muted">{node.outcome ? `${node.outcome.text}: the game has ended here.` : step ? `Before iteration ${whole(step.record.iteration)} the search has not expanded this node.` : "The search has not expanded this node."}</p>}
      {node.children.length > 0 && (
        <div class="scroll" tabIndex={0} role="group" aria-label="Table of children">
          {columns === "sum" ? <Sums node={node} rows={children} chosen={chosen} tree={tree} onOpen={open} /> : <Bounds rows={children} chosen={chosen} onOpen={open} scope={scope} />}
          {node.child_count > children.length && <p class="caption more">{whole(node.child_count - children.length)} more</p>}
        </div>
      )}
    </section>
  );
}

function says(node: TreeNode, taken: string | null, tree: Tree): string {
  const untried = node.children.filter((child) => child.visits === 0 && child.state === "open").length;
  if (taken === null) return node.minimax ? `Minimax value ${three(node.minimax.value)} after ${node.minimax.path.join(" ") || "the root"}.` : "";
  const child = node.children.find(({ move }) => move === taken);
  if (child?.visits === 0) return untried > 1 ? `It has not been tried yet, like ${whole(untried - 1)} more.` : "It was the last that had not been tried.";
  if (!child || !isHighest(node, child)) return "The recipe took it before its sum was the highest.";
  return ruleName(tree).startsWith("UCB") ? `No sum is higher. The others wait just below: ${ruleName(tree)} levels the tops.` : "No sum is higher.";
}

const Move = ({ child, onOpen }: { child: TreeChild; onOpen: (child: TreeChild) => void }) => (
  <th scope="row"><button class="plain move-button" onClick={() => onOpen(child)}>{child.move}</button></th>
);

interface SumProps { node: TreeNode; rows: TreeChild[]; chosen: string | null; tree: Tree; onOpen: (child: TreeChild) => void }

function Sums({ node, rows, chosen, tree, onOpen }: SumProps) {
  const some = (has: (child: TreeChild) => boolean): boolean => rows.some((child) => child.visits > 0 && has(child));
  const amaf = some((child) => (child.selection?.amaf ?? 0) !== 0);
  const bias = some((child) => (child.selection?.bias ?? 0) !== 0);
  const prior = some((child) => child.prior !== null);
  const most = Math.max(...rows.map((child) => (hasSum(child) ? (child.selection?.total ?? 0) : 0)), 0.001);
  return (
    <table class="sums">
      <thead>
        <tr>
          <th scope="col">Move</th><th scope="col" class="number">N</th>
          {prior && <th scope="col" class="number only-desk">prior</th>}
          {amaf && <th scope="col" class="number only-desk">AMAF</th>}
          <th scope="col" class="number">{amaf ? "share of Q" : "Q"}</th>
          {amaf && <><td class="plus" aria-hidden="true" /><th scope="col" class="number">share of AMAF</th></>}
          <td class="plus" aria-hidden="true" /><th scope="col" class="number">explore</th>
          {bias && <><td class="plus" aria-hidden="true" /><th scope="col" class="number">bias</th></>}
          <td class="plus only-desk" aria-hidden="true" /><th scope="col" class="number only-desk">{ruleName(tree) === "UCB1" ? "UCB" : "sum"}</th>
          <th scope="col" class="bars"><span class="bar-key"><i class="key-q" /><span class="only-desk">Q, what it is worth</span><i class="key-e" /><span class="only-desk">{rule(tree, node.visits)}</span><span class="unseen">Sum as a bar</span></span></th>
          <th scope="col" class="only-desk">Bounds</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((child) => {
          const { selection } = child;
          const tried = hasSum(child);
          const part = (x: number | undefined) => (tried && x !== undefined ? three(x) : "");
          return (
            <tr key={child.move} class={child.move === chosen ? "selected" : ""} data-child={child.move}>
              <Move child={child} onOpen={onOpen} />
              <td class="number">{whole(child.visits)}</td>
              {prior && <td class="number only-desk muted">{child.prior === null ? "" : three(child.prior)}</td>}
              {amaf && <td class="number only-desk muted">{child.amaf ? `${three(child.amaf.mean)} of ${whole(child.amaf.visits)}` : ""}</td>}
              <td class={`number ${child.visits === 0 ? "muted" : ""}`}>{tried ? part(selection?.exploitation) : <span class="muted">untried</span>}</td>
              {amaf && <><td class="plus">{tried ? "+" : ""}</td><td class="number">{part(selection?.amaf)}</td></>}
              <td class="plus">{tried ? "+" : ""}</td><td class="number">{part(selection?.exploration)}</td>
              {bias && <><td class="plus">{tried ? "+" : ""}</td><td class="number">{part(selection?.bias)}</td></>}
              <td class="plus only-desk">{tried ? "=" : ""}</td><td class="number only-desk"><b>{part(selection?.total)}</b></td>
              <td class="bars">{tried && selection && <Bar child={child} most={most} chosen={child.move === chosen} />}</td>
              <td class="only-desk muted">{limits(child)}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

/** The sum as a bar of 100 units; the line is the highest sum. */
function Bar({ child, most, chosen }: { child: TreeChild; most: number; chosen: boolean }) {
  const share = (x: number): number => (96 * Math.max(0, x)) / most;
  const s = child.selection;
  if (!s) return null;
  const worth = share(s.exploitation);
  const later = share(s.amaf);
  const rest = share(s.exploration + s.bias);
  return (
    <svg class="sum-bar" viewBox="0 0 100 16" preserveAspectRatio="none" aria-hidden="true">
      <rect class={paint({ value: child.value, visits: child.visits, bounds: [0, 1] }).fill} x="0" y="2" width={worth} height="12" />
      <rect class="visit-1" x={worth} y="2" width={later} height="12" />
      <rect class={chosen ? "visit-4" : "visit-2"} x={worth + later} y="2" width={rest} height="12" />
      <path class={`top-line ${chosen ? "is" : ""}`} d="M96 0V16" />
    </svg>
  );
}

function limits({ bounds, state }: TreeChild): string {
  const result = settled(bounds);
  if (result) return { won: "✓ won", lost: "✕ lost", drawn: "= drawn" }[result];
  return state === "open" ? `${bounds[0]} to ${bounds[1]}` : state;
}

function Bounds({ rows, chosen, onOpen, scope }: { rows: TreeChild[]; chosen: string | null; onOpen: (child: TreeChild) => void; scope: Scope }) {
  return (
    <table class="lin">
      <thead>
        <tr>
          <th scope="col">Move</th><th scope="col" class="number">N</th><th scope="col" class="number">Q</th><th scope="col" class="number">LCB</th>
          <th scope="col" class="number only-desk">UCB</th><th scope="col" class="bars only-desk">0 … 1</th><th scope="col" class="number">minimax</th><th scope="col">its node</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((child) => (
          <tr key={child.move} class={child.move === chosen ? "selected" : ""} data-child={child.move}>
            <Move child={child} onOpen={onOpen} />
            <td class="number">{whole(child.visits)}</td>
            <td class="number">{child.mean === null ? "" : three(child.mean)}</td>
            <td class="number">{child.confidence ? three(child.confidence[0]) : ""}</td>
            <td class="number only-desk">{child.confidence ? three(child.confidence[1]) : ""}</td>
            <td class="bars only-desk">{child.confidence && child.mean !== null && <Whisker low={child.confidence[0]} high={child.confidence[1]} mean={child.mean} minimax={mirrored(child)} />}</td>
            <td class="number">{child.minimax ? three(mirrored(child) ?? 0) : ""}</td>
            <td>{child.minimax && <button class="plain jump" title={`Go to the minimax node of ${child.move}`} onClick={() => void scope.zoomTo(child.minimax?.path ?? [])}><span class="unseen">Minimax node of {child.move}: </span>{last(child.minimax.path)}<span class="muted"> {whole(child.minimax.visits)}</span></button>}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const last = (path: string[]): string => (path.length > 3 ? `… ${path.slice(-2).join(" ")}` : path.join(" "));

/** The minimax value for the side that chooses, as the means beside it are. */
function mirrored({ minimax, value, mean }: TreeChild): number | null {
  if (!minimax) return null;
  const same = value === null || mean === null || Math.abs(value - mean) < 1e-9;
  return same ? minimax.value : 1 - minimax.value;
}

function Whisker({ low, high, mean, minimax }: { low: number; high: number; mean: number; minimax: number | null }) {
  const x = (value: number): number => 100 * Math.max(0, Math.min(1, value));
  return (
    <svg class="sum-bar" viewBox="0 0 100 16" preserveAspectRatio="none" aria-hidden="true">
      <path class="whisker" d={`M${x(low)} 8H${x(high)}M${x(low)} 4V12M${x(high)} 4V12`} />
      <path class="whisker mean" d={`M${x(mean)} 2V14`} />
      {minimax !== null && <path class="whisker minimax" d={`M${x(minimax)} 0V16`} />}
    </svg>
  );
}

/** The backup: each mean of the path before and after, as a sum to be checked. */
function Backups({ step }: { step: IterationStep }) {
  const rows = backups(step);
  return (
    <section class="card children-box" aria-label="Backup">
      <div class="between head"><h2>How the path changes</h2><span class="caption only-desk grow">(N × Q + result) / (N + visits) = new Q, for the side to move at the root</span></div>
      <div class="scroll" tabIndex={0} role="group" aria-label="Table of the backup">
        <table class="backup">
          <thead><tr><th scope="col">Node</th><th scope="col" class="number">N</th><th scope="col" class="number">Q</th><th scope="col" class="number">result</th><th scope="col" class="number">N after</th><th scope="col" class="number">Q after</th><th scope="col" class="only-desk">the sum</th></tr></thead>
          <tbody>
            {rows.map((row, depth) => (
              <tr data-backup={depth}>
                <th scope="row">{row.name}</th>
                <td class="number">{whole(row.before.visits)}</td>
                <td class="number">{row.before.value === null ? "–" : three(row.before.value)}</td>
                <td class="number">{row.gained === 1 ? three(row.added) : `${three(row.added)} of ${row.gained}`}</td>
                <td class="number"><b>{whole(row.after.visits)}</b></td>
                <td class="number"><b>{row.after.value === null ? "–" : three(row.after.value)}</b></td>
                <td class="only-desk muted">({whole(row.before.visits)} × {three(row.before.value ?? 0)} + {three(row.added)}) / {whole(row.before.visits + row.gained)} = {three(((row.before.value ?? 0) * row.before.visits + row.added) / (row.before.visits + row.gained))}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
