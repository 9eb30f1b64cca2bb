// Who plays on from here: a person or an agent for either side of the game on the board.
import { useState } from "preact/hooks";
import { api } from "../client";
import { opponents, PERSON, type Seat, type Seats } from "../game/seats";
import { changeSeats } from "../game/table";
import { Dialog, useLoaded } from "../parts";
import type { State } from "../api";

const PEOPLE = "person";
const KEPT = "kept";

export function Players({ game, seats, onClose }: { game: State; seats: Seats; onClose: () => void }) {
  const { value: agents, error } = useLoaded(() => api.agents(game.game), [game.game]);
  const choices = agents ? opponents(agents) : [];
  const [chosen, setChosen] = useState<[string, string]>(seats.map((seat) => (seat.kind === "person" ? PEOPLE : KEPT)) as [string, string]);
  const seat = (side: 0 | 1): Seat => {
    const key = chosen[side];
    return key === PEOPLE ? PERSON : key === KEPT ? seats[side] : (choices.find((choice) => choice.key === key)?.seat ?? PERSON);
  };
  const done = () => {
    changeSeats([seat(0), seat(1)]);
    onClose();
  };
  return (
    <Dialog title="Players" onClose={onClose} foot={<button class="button primary" disabled={!agents} onClick={done}>Play on</button>}>
      {error && <p class="notice" role="alert">{error}</p>}
      {([0, 1] as const).map((side) => {
        const now = seats[side];
        return (
          <label class="field">
            <span>{game.sides[side].name}</span>
            <select value={chosen[side]} onChange={(event) => setChosen(side === 0 ? [event.currentTarget.value, chosen[1]] : [chosen[0], event.currentTarget.value])}>
              <option value={PEOPLE}>A person</option>
              {now.kind === "agent" && <option value={KEPT}>{now.label}</option>}
              {choices.map((choice) => <option value={choice.key}>{choice.group === "Levels" ? `Level: ${choice.label}` : choice.label}</option>)}
            </select>
          </label>
        );
      })}
    </Dialog>
  );
}
