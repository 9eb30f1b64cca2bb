// A game without a board: its path as a line of steps, and its moves by number.
import type { State } from "../api";
import { sideOf, SideSign } from "./pieces";

export function PathBoard({ state, active, onMove }: { state: State; active: boolean; onMove: (move: string) => void }) {
  return (
    <div class="path-board card">
      <ol class="path" aria-label="Path from the root">
        <li>root</li>
        {state.steps.slice(0, state.at).map((step) => (
          <li><SideSign side={sideOf(state.sides, step.player)} /> {step.move}</li>
        ))}
      </ol>
      <div class="captions">{state.captions.map((caption) => <p>{caption}</p>)}</div>
      <div class="numbered" role="group" aria-label="Moves">
        {state.legal.map(({ move }) => <button class="button" disabled={!active} data-move={move} onClick={() => onMove(move)}>{move}</button>)}
      </div>
    </div>
  );
}
