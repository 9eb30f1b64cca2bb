// Who sits at the board: people, or agents with what they may spend on a move; and their clocks.
import type { Agents, Budget, Player } from "../api";

export type Seat = { kind: "person" } | { kind: "agent"; label: string; agent: string; budget: Budget };
export type Seats = [Seat, Seat];

export const PERSON: Seat = { kind: "person" };

export const seatOf = (seats: Seats, player: Player): Seat => seats[player === "first" ? 0 : 1];

/** What a budget allows, in words: "15,000 iterations a move". */
export function budgetWords(budget: Budget): string {
  const number = new Intl.NumberFormat("en-GB");
  const parts = [
    budget.iterations !== undefined && budget.iterations !== null ? `${number.format(budget.iterations)} iterations` : "",
    budget.nodes !== undefined && budget.nodes !== null ? `${number.format(budget.nodes)} nodes` : "",
    budget.seconds !== undefined && budget.seconds !== null ? `${number.format(budget.seconds)} s` : "",
  ].filter(Boolean);
  return parts.length === 0 ? "its usual effort" : `${parts.join(", ")} a move`;
}

/** The opponents that a game offers, strongest first, then its levels from the weakest up, then every agent. */
export function opponents(agents: Agents): { key: string; label: string; group: string; seat: Seat }[] {
  const agent = (label: string, spec: string, budget: Budget): Seat => ({ kind: "agent", label, agent: spec, budget });
  const name = (spec: string): string => spec.split("(")[0] ?? spec;
  const levels = agents.levels.map((level, i) => ({
    key: `level:${level.id}`,
    label: level.name,
    group: "Levels",
    seat: agent(`${name(level.agent)}, level ${i + 1} of ${agents.levels.length}`, level.agent, level.budget),
  }));
  // As the highest level plays it: it resigns lost games, and has a limit.
  const best = agents.levels.find(({ id }) => id === "strongest");
  const strongest = {
    key: "strongest",
    label: `Strongest (${name(agents.strongest)})`,
    group: "",
    seat: agent(`${name(agents.strongest)}, strongest`, best?.agent ?? agents.strongest, best?.budget ?? {}),
  };
  const all = agents.agents.map((one) => ({
    key: `agent:${one.spec}`,
    label: one.name,
    group: "Agents",
    seat: agent(one.name, one.spec, {}),
  }));
  return [strongest, ...levels, ...all];
}

/** Time for the whole game and per move, and what is left of it, in seconds. */
export interface Clock { main: number; increment: number; left: [number, number] }

/** What an agent may spend on a move by its clock: a twenty-fifth of the rest and most of the increment. */
export function allowance(clock: Clock, player: Player): number {
  const left = clock.left[player === "first" ? 0 : 1];
  return Math.max(0.05, Math.min(left * 0.5, left / 25 + clock.increment * 0.8));
}

/** The clock after `player` has used `seconds` on a move. */
export function spent(clock: Clock, player: Player, seconds: number): Clock {
  const index = player === "first" ? 0 : 1;
  const left: [number, number] = [...clock.left];
  left[index] = Math.max(0, left[index] - seconds) + clock.increment;
  return { ...clock, left };
}
