// The board of the microscope: the path of the iteration as numbered stones, the new leaf, and who owns
// each point when the playout ends. A game without a board shows its path as a list.
import type { Geometry, IterationStep, Piece, State, Tree } from "../../api";
import { Board } from "../../board/board";
import type { Ghost, Mark } from "../../board/overlays";
import { sideOf, SideSign } from "../../board/pieces";
import { percent, whole } from "../../format";
import type { View } from "./scope";
import { judges, sentence } from "./words";

interface Props { view: View; tree: Tree; root: State; geometry: Geometry }

/** The stones that selection chose: to be played in the first phase, on the board afterwards. */
export function chosen(step: IterationStep, all: boolean): { ghosts: Ghost[]; marks: Mark[] } {
  const { path, entered } = step.record;
  const ghosts = new Map<number, Ghost>();
  const marks: Mark[] = [];
  path.forEach((node, depth) => {
    if (node.move === null || node.to === null) return;
    const isNew = entered !== null && depth >= entered;
    if (isNew && !all) return;
    ghosts.set(node.to, { point: node.to, owner: node.player, number: depth });
    marks.push({ point: node.to, kind: isNew ? "leaf" : "path" }, { point: node.to, kind: "number", text: String(depth) });
  });
  return { ghosts: [...ghosts.values()], marks: last(marks) };
}

/** Of several marks of a kind on a point, the last. */
function last(marks: Mark[]): Mark[] {
  return [...new Map(marks.map((mark) => [`${mark.kind === "leaf" ? "path" : mark.kind}${mark.point}`, mark])).values()];
}

/** Who owns each point at the end of the playout, as small discs where it is not the owner now. */
export const owners = (end: (Piece | null)[], leaf: (Piece | null)[], sides: Tree["sides"]): Mark[] =>
  end.flatMap((piece, point): Mark[] => (piece && piece.owner !== leaf[point]?.owner ? [{ point, kind: "owner", text: sideOf(sides, piece.owner).paint }] : []));

export function Position({ view, tree, root, geometry }: Props) {
  const { step, phase, node } = view;
  const path = node?.path ?? [];
  if (geometry.shape === "text") return <PathList view={view} tree={tree} />;
  const plain: Ghost[] = step ? [] : path.flatMap((ply, i) => (ply.to === null ? [] : [{ point: ply.to, owner: ply.player, number: i + 1 }]));
  const { ghosts, marks } = step ? chosen(step, phase > 1) : { ghosts: [], marks: [] };
  const pieces = step && phase > 1 ? step.leaf : root.pieces;
  const end = step?.end && phase >= 3 && geometry.men === "stones" ? owners(step.end, step.leaf, tree.sides) : [];
  const taken = new Set(marks.map((mark) => mark.point));
  return (
    <figure class="scope-board">
      <Board geometry={geometry} pieces={pieces} sides={tree.sides} last={step ? [] : path.length > 0 ? [] : root.last}
        ghosts={step ? (phase === 1 ? ghosts : []) : plain}
        marks={[...(step && phase === 1 ? marks.filter((mark) => mark.kind !== "number") : marks), ...end.filter((mark) => !taken.has(mark.point))]}
        label={step ? `Board: ${sentence(step, phase, tree.sides, judges(tree))}` : `Board${path.length > 0 ? ` with ${path.map((ply) => ply.move).join(" ")}` : ""}`} />
      {step && (
        <figcaption class="legend caption">
          <span><i class="key-path">1</i>selected</span>
          {phase > 1 && step.record.entered !== null && step.record.entered > 0 && <span><i class="key-leaf">{step.record.entered}</i>new leaf</span>}
          {end.length > 0 && <span><i class="key-owner black" /><i class="key-owner white" />owner when the playout ends</span>}
        </figcaption>
      )}
    </figure>
  );
}

/** A game without a board: the path with its numbers. */
function PathList({ view, tree }: { view: View; tree: Tree }) {
  const { step, node } = view;
  const side = sideOf(tree.sides, tree.turn).name;
  const root = view.part?.path.length === 0 ? view.part.nodes[0] : undefined;
  const rows = step
    ? step.record.path.map((one, depth) => ({ move: one.move, player: one.player, visits: one.visits, value: one.value, isNew: step.record.entered !== null && depth >= step.record.entered }))
    : [{ move: null, player: tree.turn, visits: root?.visits ?? -1, value: root?.value ?? null, isNew: false },
      ...(node?.path ?? []).map((ply, i, all) => ({ move: ply.move as string | null, player: ply.player, visits: i === all.length - 1 ? (node?.visits ?? 0) : -1, value: i === all.length - 1 ? (node?.value ?? null) : null, isNew: false }))];
  return (
    <figure class="card path-list" aria-label="Path from the root">
      <ol>
        {rows.map((row) => (
          <li class={row.isNew ? "new-leaf" : ""}>
            {row.move === null ? <b>root</b> : <><SideSign side={sideOf(tree.sides, row.player)} /> <b>{row.move}</b></>}
            <span class="muted">{row.visits < 0 ? "" : `${whole(row.visits)} visits`}{row.value === null ? "" : `, ${side} ${percent(row.value)}`}</span>
          </li>
        ))}
      </ol>
    </figure>
  );
}
