// The moves of a game: a list by turns on a desk, a strip on a phone.
import { useEffect, useRef } from "preact/hooks";
import { sideOf } from "../board/pieces";
import { prefix } from "../game/document";
import { branches, type Branch } from "../game/notes";
import { goTo, show, type Table } from "../game/table";
import { attempt } from "../parts";
import type { State, Step } from "../api";

/** Rows of moves: the first player's in the left column, the second's in the right, as many as a turn has. */
export function byTurns(steps: Step[]): { first: number[]; second: number[] }[] {
  const rows: { first: number[]; second: number[] }[] = [];
  steps.forEach((step, i) => {
    const before = steps[i - 1];
    const row = rows[rows.length - 1];
    if (row && step.player === "second") row.second.push(i);
    else if (row && before?.player === "first" && row.second.length === 0) row.first.push(i);
    else rows.push(step.player === "first" ? { first: [i], second: [] } : { first: [], second: [i] });
  });
  return rows;
}

function useInSight<T extends HTMLElement>(key: unknown) {
  const box = useRef<T>(null);
  useEffect(() => {
    const current = box.current?.querySelector<HTMLElement>("[aria-current]");
    const frame = box.current;
    if (!frame) return;
    if (!current) return void frame.scrollTo(0, 0);
    frame.scrollTo({ top: current.offsetTop - frame.clientHeight / 2, left: current.offsetLeft - frame.clientWidth / 2 });
  }, [key]);
  return box;
}

/** The moves by turns; below a turn the lines that leave the game there, and what is said of its positions. */
export function Moves({ game, at, marks, table }: { game: State; at: number; marks?: ReadonlyMap<number, string>; table: Table }) {
  const { notes, shown, variation } = table;
  const box = useInSight<HTMLDivElement>(shown?.document);
  const lines = branches(notes, game.document);
  const current = (step: number) => (!variation && step === at ? { "aria-current": "step" as const } : {});
  const said = (document: string) => {
    const text = notes.comments[document];
    return text === undefined ? null : <p class="said">{text}</p>;
  };
  const line = (branch: Branch) => (
    <div class="branch" data-branch={branch.from}>
      {branch.moves.map((move, i) => (
        <button data-move={move.document} aria-label={`Variation, move ${branch.from + i + 1}, ${move.text}`} onClick={() => attempt(show(move.document))}
          {...(variation && shown?.document === move.document ? { "aria-current": "step" as const } : {})}>{move.text}</button>
      ))}
      {branch.moves.map((move) => said(move.document))}
    </div>
  );
  const below = (steps: number[]) => {
    const parts = [...steps.filter((i) => i < game.steps.length).map((i) => said(prefix(game.document, i + 1))), ...lines.filter(({ from }) => steps.includes(from)).map(line)].filter((part) => part !== null);
    return parts.length > 0 && <li class="noted">{parts}</li>;
  };
  const cell = (i: number) => (
    <button class={marks?.has(i + 1) ? "mistake" : ""} data-step={i + 1} {...current(i + 1)} onClick={() => attempt(goTo(i + 1))}
      aria-label={`Move ${i + 1}, ${sideOf(game.sides, game.steps[i]?.player ?? "first").name} ${game.steps[i]?.move ?? "set-up"}${marks?.has(i + 1) ? `, mistake ${marks.get(i + 1)}` : ""}`}>
      {game.steps[i]?.move ?? "set-up"}{marks?.has(i + 1) && <small> {marks.get(i + 1)}</small>}
    </button>
  );
  return (
    <div class="move-list" ref={box}>
      {said(prefix(game.document, 0))}
      <ol>
        {byTurns(game.steps).map((row, n) => (
          <>
            <li><span class="move-number">{n + 1}</span><span>{row.first.map(cell)}</span><span>{row.second.map(cell)}</span></li>
            {below([...row.first, ...row.second])}
          </>
        ))}
        {below([game.steps.length])}
      </ol>
      {game.steps.length === 0 && <p class="caption pad">No moves yet.</p>}
    </div>
  );
}

export function Strip({ game, at }: { game: State; at: number }) {
  const box = useInSight<HTMLOListElement>(at);
  return (
    <ol class="move-strip" ref={box} aria-label="Moves">
      {game.steps.map((step, i) => (
        <li>
          <button {...(i + 1 === at ? { "aria-current": "step" as const } : {})} onClick={() => attempt(goTo(i + 1))}><span>{i + 1}</span> {step.move ?? "set-up"}</button>
        </li>
      ))}
      {game.steps.length === 0 && <li class="caption">No moves yet</li>}
    </ol>
  );
}
