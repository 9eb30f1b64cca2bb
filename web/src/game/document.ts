// A position as text: GAME or GAME~STEP.STEP…, the way to share it and to go on from it.

import type { State } from "../api";

/** The position after one more move. */
export const extend = (document: string, move: string): string => `${document}${cut(document)[1] === "" ? "~" : "."}${move}`;

/** The spec of the game, and the text after the tilde; the quoted text of a spec may contain any sign. */
function cut(document: string): [string, string] {
  const end = Math.max(document.lastIndexOf('"'), document.lastIndexOf(")")) + 1;
  const tilde = document.indexOf("~", end);
  return tilde < 0 ? [document, ""] : [document.slice(0, tilde), document.slice(tilde + 1)];
}

/** The steps; a change of the turn belongs to the move after it. */
export function stepsOf(document: string): string[] {
  const steps: string[] = [];
  let turned = "";
  for (const text of cut(document)[1].split(".").filter((one) => one !== "")) {
    if (turned && /^[[=]/.test(text)) steps.push(turned);
    if (text.startsWith("=")) turned = text;
    else {
      steps.push(turned && !text.startsWith("[") ? `${turned}.${text}` : text);
      turned = "";
    }
  }
  return turned ? [...steps, turned] : steps;
}

/** The same game after its first `steps` steps. */
export function prefix(document: string, steps: number): string {
  const [game, kept] = [cut(document)[0], stepsOf(document).slice(0, steps)];
  return kept.length === 0 ? game : `${game}~${kept.join(".")}`;
}

/** A spec with these parameters: `go(size=9,komi=6.5)`; those that are empty are left out. */
export function spec(name: string, parameters: Record<string, string>): string {
  const given = Object.entries(parameters).filter(([, value]) => value !== "");
  return given.length === 0 ? name : `${name}(${given.map(([key, value]) => `${key}=${value}`).join(",")})`;
}

/** The name of a game or agent in its spec. */
export const bareName = (text: string): string => text.split(/[(~]/)[0] ?? text;

/** The parameters that a plain spec names, one level deep: `size` and `komi` of `go(size=9,komi=6.5)`. */
export function parametersOf(text: string): Record<string, string> {
  const inside = /^[^(]*\((.*)\)$/.exec(text)?.[1] ?? "";
  const found: Record<string, string> = {};
  let [depth, start] = [0, 0];
  const take = (end: number): void => {
    const part = inside.slice(start, end);
    const equals = part.indexOf("=");
    if (equals > 0) found[part.slice(0, equals).trim()] = part.slice(equals + 1).trim();
  };
  for (let i = 0; i < inside.length; i++) {
    const sign = inside[i];
    if (sign === "(" || sign === "[") depth += 1;
    if (sign === ")" || sign === "]") depth -= 1;
    if (sign === "," && depth === 0) {
      take(i);
      start = i + 1;
    }
  }
  take(inside.length);
  return found;
}

/** The address that shows this position in a room. */
export const address = (room: string, document: string): string =>
  `${location.origin}${location.pathname}#/${room}/${encodeURIComponent(document)}`;

/** The points of the last turn: of all its moves, where a turn has several. */
export function lastTurn(state: State): number[] {
  const made = state.steps.slice(0, state.at);
  const player = made.at(-1)?.player;
  const since = made.findLastIndex((step) => step.player !== player || step.move === null);
  const turn = made.slice(since + 1);
  if (turn.length < 2 || turn.some((step) => step.from !== null || step.to === null)) return state.last;
  return turn.flatMap((step) => (step.to !== null && state.pieces[step.to] ? [step.to] : []));
}
