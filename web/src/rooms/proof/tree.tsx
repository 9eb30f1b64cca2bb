// The AND/OR tree along a path: a column for each level, siblings with equal numbers stacked, solved ones
// folded. On a phone the same levels are an indented list.
import type { Player, ProofGroup, ProofLevel, ProofTree, ProofTreeView, Side } from "../../api";
import { other, sideOf, SideSign } from "../../board/pieces";
import { useWidth } from "../../charts/win-rate";
import { shown, sums } from "./words";

/** Levels that fit beside each other, and rows of a level. */
const COLUMNS = 5;
const ROWS = 4;
const [HEAD, HIGH, ROW] = [52, 46, 62];

/** The groups that are drawn: the first ones, and the rest as one. */
export function drawn(level: ProofLevel, rows: number): { groups: ProofGroup[]; more: number } {
  if (level.groups.length <= rows) return { groups: level.groups, more: 0 };
  const groups = level.groups.slice(0, rows - 1);
  return { groups, more: level.groups.slice(rows - 1).reduce((sum, group) => sum + group.count, 0) };
}

/** The moves that lead to a group of a level; `chosen` are the moves on the path, level by level. */
export function pathTo(chosen: readonly string[], level: number, group: ProofGroup): string[] {
  if (level === 0) return [];
  const move = group.moves[0]?.move;
  return move === undefined ? chosen.slice(0, level) : [...chosen.slice(0, level - 1), move];
}

export function Tree({ tree, view, sides, onGo }: { tree: ProofTree; view: ProofTreeView; sides: readonly [Side, Side]; onGo: (path: string[]) => void }) {
  const [box, width] = useWidth<HTMLDivElement>();
  const chosen = [...view.path, ...view.most_proving].map((ply) => ply.move);
  const first = Math.max(0, view.levels.length - COLUMNS);
  const levels = view.levels.slice(first);
  const at = view.path.length;
  const column = Math.max(120, (width + 24) / Math.max(levels.length, 3));
  const wide = Math.min(150, column - 28);
  const attacker = sideOf(sides, tree.attacker).name;
  const here = view.levels[at]?.groups.find((group) => group.on_path);
  const below = view.levels[at + 1];
  const sum = here && below ? sums(here, below, view.levels[at]?.or_nodes ?? false) : null;
  const rows = Math.max(1, ...levels.map((level) => Math.min(level.groups.length, ROWS)));
  return (
    <div class="tree" ref={box}>
      <div class="tree-columns" style={{ height: `${HEAD + rows * ROW}px` }}>
        <svg class="tree-links" width={width} height={HEAD + rows * ROW} aria-hidden="true">
          {levels.slice(1).flatMap((level, i) => {
            const { groups, more } = drawn(level, ROWS);
            return Array.from({ length: groups.length + (more ? 1 : 0) }, (_, row) => {
              const [x0, x1, y0, y1] = [i * column + wide, (i + 1) * column, HEAD + HIGH / 2, HEAD + row * ROW + HIGH / 2];
              return <path class={row === 0 && groups[0]?.on_path ? "on-path" : ""} d={row === 0 ? `M${x0} ${y0}H${x1}` : `M${x0} ${y0}C${x0 + 16} ${y0} ${x1 - 16} ${y1} ${x1} ${y1}`} />;
            });
          })}
        </svg>
        {levels.map((level, i) => {
          const { groups, more } = drawn(level, ROWS);
          const depth = first + i;
          return (
            <div role="group" aria-label={depth === 0 ? "The root" : `After ${depth === 1 ? "one move" : `${depth} moves`}`}>
              <div class="tree-head" style={{ left: `${i * column}px`, width: `${column - 12}px` }}>
                <b>{level.or_nodes ? "OR" : "AND"}</b> {sideOf(sides, toMove(level, tree)).name} to move
                {depth < 2 && <span>{level.or_nodes ? "pn is the least, dn adds up" : "pn adds up, dn is the least"}</span>}
              </div>
              {groups.map((group, row) => (
                <div class="tree-place" style={{ left: `${i * column}px`, top: `${HEAD + row * ROW}px`, width: `${wide}px` }}>
                  <Node group={group} level={level} depth={depth} sides={sides} current={depth === at && group.on_path} onGo={() => onGo(pathTo(chosen, depth, group))} />
                </div>
              ))}
              {more > 0 && <span class="tree-more caption" style={{ left: `${i * column}px`, top: `${HEAD + (ROWS - 1) * ROW + 12}px` }}>and {more} more</span>}
            </div>
          );
        })}
      </div>
      <ol class="tree-list">
        {levels.map((level, i) => {
          const depth = first + i;
          const { groups, more } = drawn(level, ROWS);
          return groups.map((group, row) => (
            <li style={{ paddingLeft: `${i * 14}px` }}>
              {row === 0 && <span class="caption">{level.or_nodes ? "OR" : "AND"}, {sideOf(sides, toMove(level, tree)).name} to move{more ? `, ${more} more not shown` : ""}</span>}
              <Node group={group} level={level} depth={depth} sides={sides} current={depth === at && group.on_path} onGo={() => onGo(pathTo(chosen, depth, group))} />
            </li>
          ));
        })}
      </ol>
      <p class="tree-sum">
        {sum ? <><b class="pn">pn</b> = {sum.pn} leaves to prove “{tree.text}”. <b class="dn">dn</b> = {sum.dn} to disprove it.</>
          : here?.status === "proved" ? <>Proved: {tree.text}.</>
          : here?.status === "disproved" ? <>Refuted: {attacker} does not get there.</>
          : <>A leaf: it was not expanded. Both numbers are those it started with.</>}
      </p>
    </div>
  );
}

/** Who moves in the nodes of a level: the attacker in OR nodes. */
const toMove = (level: ProofLevel, tree: ProofTree): Player => (level.or_nodes ? tree.attacker : other(tree.attacker));

function Node({ group, level, depth, sides, current, onGo }: { group: ProofGroup; level: ProofLevel; depth: number; sides: readonly [Side, Side]; current: boolean; onGo: () => void }) {
  const name = depth === 0 ? "root" : group.count === 1 ? group.moves[0]?.move ?? "" : `${group.count} moves`;
  return (
    <button class={`tree-node ${level.or_nodes ? "or" : "and"} ${group.status} ${group.on_path ? "on-path" : ""} ${group.count > 1 ? "stacked" : ""}`}
      {...(current ? { "aria-current": "true" as const } : {})} title={group.count > 1 ? group.moves.map((ply) => ply.move).join(" ") : ""} onClick={onGo}>
      {depth > 0 && <SideSign side={sideOf(sides, level.mover)} />}
      <span class="node-name">{name}</span>
      {group.status === "unknown" ? <span class="node-numbers"><b class="pn"><span class="unseen">, pn </span>{shown(group.pn)}</b><b class="dn"><span class="unseen">, dn </span>{shown(group.dn)}</b></span>
        : <span class="node-sign"><span class="unseen">, {group.status === "proved" ? "proved" : "refuted"} </span><span aria-hidden="true">{group.status === "proved" ? "✓" : "✕"}</span></span>}
    </button>
  );
}
