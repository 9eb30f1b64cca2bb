// The tree as an icicle: width is visits, colour is value. Only what is wide enough to be seen is drawn,
// and only what is drawn was loaded.
import { useEffect, useMemo } from "preact/hooks";
import type { Tree } from "../../api";
import { sideOf } from "../../board/pieces";
import { useWidth } from "../../charts/win-rate";
import { percent, whole } from "../../format";
import { type Cell, find, layout, ROOT_ROW, settled, step as stepBy } from "./layout";
import { joined } from "./requests";
import { pathOf, type Scope, type View } from "./scope";

const ROWS = { desk: { row: 42, rows: 4 }, phone: { row: 38, rows: 4 } };
const MARK = { won: "✓", lost: "✕", drawn: "=" };

export function Icicle({ view, scope, tree }: { view: View; scope: Scope; tree: Tree }) {
  const [box, width] = useWidth<HTMLDivElement>();
  const { row, rows } = width < 500 ? ROWS.phone : ROWS.desk;
  useEffect(() => scope.fit(width, rows), [width, rows]);
  const { part, path, step, zoom } = view;
  const cells = useMemo(() => (part ? layout(part, width, row, rows) : []), [part, width]);
  const height = ROOT_ROW + 1 + rows * (row + 1);
  const line = step ? pathOf(step) : path;
  const onPath = (cell: readonly string[]): boolean => cell.every((move, i) => line[i] === move) && cell.length <= line.length;
  const chosen = joined(path);
  const open = (target: string[]): void => void (joined(target) === chosen ? scope.zoomTo(target) : scope.focus(target));
  const key = (event: KeyboardEvent): void => {
    if (!part) return;
    const known = find(part, path) === null ? part.path : path;
    if (event.key.startsWith("Arrow")) {
      const next = stepBy(part, known, event.key);
      if (next) void scope.focus(next);
    } else if (event.key === "Enter") void scope.zoomTo(path);
    else if (event.key === "Backspace") void scope.zoomTo(zoom.slice(0, -1));
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const side = sideOf(tree.sides, tree.turn).name;
  const here = part && find(part, path) !== null ? part.nodes[find(part, path) ?? 0] : undefined;
  const told = here ? `${chosen || "root"}, ${whole(here.visits)} visits${here.value === null ? "" : `, ${side} ${percent(here.value)}`}` : chosen;
  return (
    <div class="card icicle-box">
      <div class="between">
        <h2>The tree</h2>
        <span class="caption only-desk">width: visits<span class="gap" />colour: {side}’s win rate <i class="value-scale" /> 20 … 50 … 80 %</span>
      </div>
      <div ref={box} class="icicle" role="group" tabIndex={0} onKeyDown={key} data-cells={cells.length}
        aria-label={`Tree of ${whole(part?.iteration ?? 0)} iterations. Arrow keys move, Enter opens, Backspace goes up. At ${told}`}>
        <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
          {cells.map((cell) => {
            const name = joined(cell.path);
            if (cell.rest) return <rect key={`rest ${name}`} class={`${cell.fill} rest`} x={cell.x} y={cell.y} width={Math.max(0.5, cell.width)} height={cell.height} onClick={() => void scope.zoomTo(cell.path)} />;
            const root = cell.path.length === 0;
            const result = settled(cell.node.bounds);
            const label = root ? `root, ${whole(cell.node.visits)} visits` : cell.node.depth === 0 ? `${name}, ${whole(cell.node.visits)} visits` : (cell.node.move ?? "");
            const fits = cell.width > 7 * label.length + 8;
            return (
              <g key={name} class={name === chosen ? "chosen" : ""} onClick={() => open(cell.path)} data-node={name || "root"}>
                <rect class={cell.fill} x={cell.x} y={cell.y} width={Math.max(0.5, cell.width)} height={cell.height} rx={cell.width > 5 ? 1.5 : 0}>
                  <title>{`${name || "root"}: ${whole(cell.node.visits)} visits${cell.node.value === null ? "" : `, ${side} ${percent(cell.node.value)}`}`}</title>
                </rect>
                {fits && <text class={`cell-label ${cell.on}`} x={cell.x + 6} y={cell.y + 16}>{label}{result ? ` ${MARK[result]}` : ""}</text>}
                {fits && cell.node.depth > 0 && cell.width > 34 && <text class={`cell-under ${cell.on}`} x={cell.x + 6} y={cell.y + 30}>{whole(cell.node.visits)}</text>}
              </g>
            );
          })}
          {cells.filter((cell) => !cell.rest && onPath(cell.path)).map((cell) => (
            <rect key={`path ${joined(cell.path)}`} class="on-path" x={cell.x} y={cell.y} width={Math.max(1, cell.width)} height={cell.height} rx={cell.width > 5 ? 1.5 : 0} />
          ))}
          {thread(cells.filter((cell) => !cell.rest && onPath(cell.path)), line.length, rows, row).map((one) => <rect class="on-path" {...one} />)}
          {cells.filter((cell) => !cell.rest && joined(cell.path) === chosen && !onPath(cell.path)).map((cell) => (
            <rect class="here" x={cell.x} y={cell.y} width={Math.max(1, cell.width)} height={cell.height} rx={1.5} />
          ))}
        </svg>
      </div>
      <PathBar view={view} scope={scope} />
    </div>
  );
}

/** The rest of a path below its last node that is wide enough to be drawn: a thread. */
function thread(drawn: Cell[], length: number, rows: number, row: number): { x: number; y: number; width: number; height: number }[] {
  const last = drawn[drawn.length - 1];
  if (!last || last.path.length >= length || last.node.depth >= rows) return [];
  const end = Math.min(rows, last.node.depth + length - last.path.length);
  return [{ x: last.x + last.width / 2, y: last.y + last.height + 1, width: 0.5, height: (end - last.node.depth) * (row + 1) - 1 }];
}

/** Where in the tree we are: every node from the root, each a way back. */
function PathBar({ view, scope }: { view: View; scope: Scope }) {
  const { path, zoom } = view;
  const steps = path.map((move, i) => ({ move, to: path.slice(0, i + 1) }));
  return (
    <nav class="path-bar" aria-label="Path from the root">
      <button class="crumb" aria-current={path.length === 0 ? "true" : undefined} onClick={() => void scope.zoomTo([])}>root</button>
      {steps.map(({ move, to }, i) => (
        <><span class="muted" aria-hidden="true">›</span>
          <button class="crumb" aria-current={i === steps.length - 1 ? "true" : undefined} onClick={() => void scope.focus(to)}>{move}</button></>
      ))}
      <span class="grow" />
      {zoom.length > 0 && <button class="crumb" onClick={() => void scope.zoomTo([])}>whole tree</button>}
      {path.length > 0 && joined(zoom) !== joined(path) && <button class="crumb" onClick={() => void scope.zoomTo(path)}>open this node</button>}
      {path.length > 0 && (
        <button class="crumb" aria-pressed={view.watch.includes(joined(path))} onClick={() => void scope.toggleWatch(path)}>
          {view.watch.includes(joined(path)) ? "curve shown" : "show its curve"}
        </button>
      )}
    </nav>
  );
}
