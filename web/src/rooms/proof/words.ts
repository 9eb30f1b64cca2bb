// What a proof says of a position, in sentences; and how its certificate is drawn.
import type { Geometry, ProofBook, ProofGroup, ProofLevel, ProofReason, ProofView, Side } from "../../api";
import type { Ghost, Link, Mark } from "../../board/overlays";
import { other, sideOf } from "../../board/pieces";
import { whole } from "../../format";

const letter = (i: number): string => String.fromCharCode(65 + (i % 26));

/** The question that the panel answers. */
export function question(claim: ProofBook["claims"][number], sides: readonly [Side, Side]): string {
  return claim.wins ? `Why does ${sideOf(sides, other(claim.player)).name} lose?` : `Why is it that ${claim.text}?`;
}

/** A list of point names: at most eight, then how many more. */
function names(points: number[], geometry: Geometry): string {
  const found = points.map((point) => geometry.points[point]?.name ?? "");
  return found.length > 8 ? `${found.slice(0, 8).join(" ")} and ${found.length - 8} more` : found.join(" ");
}

/** Why a certificate holds. `mine` is the claimant, `theirs` its opponent. */
export function because(reason: ProofReason, [mine, theirs]: [string, string], geometry: Geometry, toMove: boolean): string[] {
  const first = reason.line[0];
  const key = first ? geometry.points[first.point]?.name ?? "" : "";
  switch (reason.kind) {
    case "virtual connection": {
      if (reason.area.length === 0) return [`${mine} is connected from edge to edge.`];
      const cells = `The connection needs only the ${whole(reason.area.length)} tinted cells`;
      const pairs = reason.pairs.map((_, i) => `${letter(i)} ${letter(i)}`).join(", ");
      return [
        toMove && key ? `${mine} plays ${key} and is connected from edge to edge.` : `${mine} can always connect its edges. ${cells}.`,
        reason.pairs.length > 0 ? `${theirs} can take only one cell of a pair at a time (${pairs}). ${mine} takes the other.` : `${cells}; ${mine} answers inside them.`,
      ];
    }
    case "wins at once":
      return [toMove ? `${mine} completes a win in this turn.` : `${mine} threatens to win at once on ${names([...new Set(reason.threats.flat())], geometry)}. ${theirs} cannot stop every threat.`];
    case "line of fours":
      return [`Every numbered move of ${mine} makes a four, which ${theirs} must stop on the one point left. The last four cannot be stopped.`];
    case "more threats than stones":
      return [`${mine} threatens to complete a six in more places than ${theirs} has stones to stop them. The tinted points complete the threats.`];
    case "line of double threats":
      return [`With every turn ${mine} makes threats that take all stones of ${theirs} to stop. After the last turn they do not suffice.`];
    case "relevance zone":
      return [`Wherever ${theirs} plays outside the tinted zone, the numbered line wins. Replies inside the zone are answered one by one.`];
    case "unconditional life":
      return [`The stones have two eye spaces, A and B. Each becomes an eye whatever ${theirs} plays first: they live.`];
    case "static death":
      return ["The stones have no room for two eyes in the tinted points. They are captured whatever is played."];
    default:
      return [`The certificate “${reason.kind}” was checked.`];
  }
}

/** What the proof says of this position. */
export function says(view: ProofView): string[] {
  const { sides, geometry } = view.state;
  const pair: [string, string] = [sideOf(sides, view.claimant).name, sideOf(sides, other(view.claimant)).name];
  const [mine, theirs] = pair;
  const toMove = view.state.turn === view.claimant;
  const why = view.reason && geometry ? because(view.reason, pair, geometry, toMove) : [];
  const listed = `The proof lists ${whole(view.size)} position${view.size === 1 ? "" : "s"} from here on.`;
  switch (view.kind) {
    case "end": return [view.state.outcome?.text ?? "The game is over."];
    case "plays": return [`${mine} plays ${view.answer?.move ?? ""}. ${listed}`];
    case "replies": {
      const hardest = view.replies[0];
      const only = view.replies.length === 1;
      return [
        only ? `${theirs} has one move, and it is answered.` : `${theirs} has ${whole(view.replies.length)} moves. Each is answered.`,
        ...(hardest && !only ? [`The hardest to refute is ${hardest.reply.move}: ${whole(hardest.size)} of ${whole(view.size)} positions.`] : []),
      ];
    }
    case "certificate": return why;
    case "beyond": return [view.answer ? `${mine} answers ${view.answer.move}.` : toMove ? `The certificate holds after this move as well.` : `${theirs} to move. The certificate still stands.`, ...why.slice(-1)];
  }
}

/** What of a position's proof is drawn: tinted points, letters, numbered stones. */
export function drawing(view: ProofView): { tint: Map<number, string>; marks: Mark[]; ghosts: Ghost[] } {
  const tint = new Map<number, string>();
  const marks: Mark[] = [];
  const ghosts: Ghost[] = [];
  const empty = (point: number): boolean => view.state.pieces[point] === null;
  const { reason } = view;
  if (reason) {
    for (const point of [...reason.area, ...reason.threats.flat(), ...reason.pairs.flat(), ...reason.eyes.flat()]) if (empty(point)) tint.set(point, "carrier");
    reason.pairs.forEach((pair, i) => pair.forEach((point) => empty(point) && marks.push({ point, kind: "text", text: letter(i) })));
    reason.eyes.forEach((eye, i) => eye.forEach((point) => empty(point) && marks.push({ point, kind: "text", text: letter(i) })));
    if (reason.kind !== "virtual connection" && view.kind === "certificate") {
      const seen = new Set<number>();
      reason.line.forEach(({ player, point }, i) => {
        if (!empty(point) || seen.has(point)) return;
        seen.add(point);
        ghosts.push({ point, owner: player, number: i + 1 });
      });
    }
  }
  const answer = view.answer?.to;
  if (answer !== null && answer !== undefined && !ghosts.some(({ point }) => point === answer)) marks.push({ point: answer, kind: "hint" });
  return { tint, marks: marks.filter(({ point }, i) => marks.findIndex((one) => one.point === point) === i), ghosts };
}

/** How a connection over hexagons holds together: own stones that touch, and from both cells of a pair to the stone or the edge that they lead to. */
export function links(view: ProofView, geometry: Geometry): Link[] {
  if (view.reason?.kind !== "virtual connection" || geometry.shape !== "hexagons") return [];
  const at = (point: number): [number, number] => [geometry.points[point]?.x ?? 0, geometry.points[point]?.y ?? 0];
  const far = ([x, y]: [number, number], [u, v]: [number, number]): number => Math.hypot(x - u, y - v);
  const touch = (one: number, two: number): boolean => far(at(one), at(two)) < 1.1;
  const own = view.state.pieces.flatMap((piece, i) => (piece?.owner === view.claimant ? [i] : []));
  const solid = own.flatMap((one) => own.filter((two) => two > one && touch(one, two)).map((two): Link => ({ kind: "solid", ends: [...at(one), ...at(two)] })));
  // The edges of the claimant, as the middles of the sides of its bands.
  const edges = geometry.bands.filter(({ player }) => player === view.claimant).flatMap(({ polygon }) =>
    polygon.map(([x, y], i): [number, number] => [(x + (polygon[(i + 1) % polygon.length]?.[0] ?? x)) / 2, (y + (polygon[(i + 1) % polygon.length]?.[1] ?? y)) / 2]));
  const open = view.reason.pairs.flatMap(([one, two]) => {
    const stones = own.filter((stone) => touch(stone, one) && touch(stone, two));
    return [one, two].flatMap((cell): Link[] => {
      const edge = edges.filter((middle) => far(at(cell), middle) < 0.8).sort((a, b) => far(at(cell), a) - far(at(cell), b))[0];
      const ends = [...stones.map(at), ...(stones.length < 2 && edge ? [edge] : [])];
      return ends.map((end) => ({ kind: "open", ends: [...at(cell), ...end] }));
    });
  });
  return [...solid, ...open];
}

/** Infinity, whole numbers, and the fractions of searches that estimate. */
export const shown = (number: number | null): string => (number === null ? "∞" : Number.isInteger(number) ? whole(number) : number.toPrecision(3));

/** How the numbers of a node follow from its children: pn = 14 + 14 = 28, dn = min(338, 350) = 338. */
export function sums(parent: ProofGroup, level: ProofLevel, isOr: boolean): { pn: string; dn: string } | null {
  if (parent.status !== "unknown" || parent.pn === null || parent.dn === null) return null;
  const open = level.groups.filter(({ status }) => status === "unknown");
  const sum = (pick: (group: ProofGroup) => number | null): string => {
    const terms = open.map((group) => (group.count > 1 ? `${group.count}·${shown(pick(group))}` : shown(pick(group))));
    return terms.length > 6 ? `${terms.slice(0, 5).join(" + ")} + …` : terms.join(" + ");
  };
  const least = (pick: (group: ProofGroup) => number | null): string => {
    const terms = [...new Set(open.map((group) => shown(pick(group))))];
    return terms.length === 1 ? terms[0] ?? "" : `min(${terms.length > 6 ? `${terms.slice(0, 5).join(", ")}, …` : terms.join(", ")})`;
  };
  const told = (text: string, value: number): string => (text === shown(value) ? text : `${text} = ${shown(value)}`);
  const [pn, dn] = isOr ? [least((g) => g.pn), sum((g) => g.dn)] : [sum((g) => g.pn), least((g) => g.dn)];
  return { pn: told(pn, parent.pn), dn: told(dn, parent.dn) };
}
