// What searches have said about the positions of a game: the win-rate graph and the mistakes.
import type { Player, Report, Step } from "../api";
import { prefix } from "./document";

/** What is known of one position; the value is the first player's. */
export interface Judged { value: number; best: string | null; effort: number }

/** The report's value for the first player. */
export const forFirst = (report: Report): number => (report.turn === "first" ? report.value : 1 - report.value);
export const forPlayer = (value: number, player: Player): number => (player === "first" ? value : 1 - value);

export const judgedBy = (report: Report): Judged => ({
  value: forFirst(report), best: report.best, effort: report.iterations || report.nodes,
});

/** Keeps the judgement that more effort went into. */
export function better(known: Judged | undefined, found: Judged): Judged {
  return known && known.effort > found.effort ? known : found;
}

/** Lost at least this much, for the player who moved: a mistake. */
export const MISTAKE = 0.075;

export interface Mistake { at: number; player: Player; move: string; loss: number; better: string | null }

/** The value before each step and after the last; null where nothing is known. */
export function curve(document: string, steps: number, known: ReadonlyMap<string, Judged>): (Judged | null)[] {
  return Array.from({ length: steps + 1 }, (_, at) => known.get(prefix(document, at)) ?? null);
}

/** The moves after which the mover's value is lower by `MISTAKE` or more, and which are not the search's own choice. */
export function mistakes(steps: Step[], values: (Judged | null)[]): Mistake[] {
  return steps.flatMap((step, i) => {
    const [before, after] = [values[i], values[i + 1]];
    if (!before || !after || step.move === null || before.best === step.move) return [];
    const loss = forPlayer(before.value, step.player) - forPlayer(after.value, step.player);
    return loss >= MISTAKE ? [{ at: i + 1, player: step.player, move: step.move, loss, better: before.best }] : [];
  });
}
