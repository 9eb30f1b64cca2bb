// The scales of the design guide: how numbers of a search become colours and sizes.
//
// Value has eleven steps, 0 (lost) to 10 (won), for the side to move at the root. Few visits are
// drawn towards the middle before colouring, so that one lucky playout does not look certain.

const clamp = (low: number, high: number, x: number): number => Math.min(high, Math.max(low, x));

/** The step of a value in [0, 1] on the absolute scale: 5 + 5·sgn(t)·|t|^0.6 with t = 2v − 1. */
export function valueStep(value: number): number {
  const t = clamp(-1, 1, 2 * value - 1);
  return Math.round(5 + 5 * Math.sign(t) * Math.abs(t) ** 0.6);
}

/** The mean with six visits of ½ mixed in, as trees and graphs show it. */
export function doubted(mean: number, visits: number): number {
  return (visits * mean + 3) / (visits + 6);
}

/**
 * The step of a candidate on the relative scale: 10 for the best move, 5 for ten points behind it, 0
 * for twenty or more; twelve visits of "ten points behind" are mixed in.
 */
export function candidateStep(mean: number, best: number, visits: number): number {
  const behind = clamp(0, 0.2, best - mean);
  const mixed = (visits * behind + 12 * 0.1) / (visits + 12);
  return Math.round(10 - 50 * mixed);
}

/** The radius of a candidate's disc, as a share of the largest: its area follows the root of the share of visits. */
export function discRadius(visits: number, most: number): number {
  if (most <= 0) return 0;
  return clamp(0.16, 1, Math.sqrt(Math.sqrt(visits / most)));
}

/** The step of a share of visits on the violet scale, 0 to 6. */
export function visitStep(visits: number, most: number): number {
  return most <= 0 ? 0 : clamp(0, 6, Math.round(6 * Math.sqrt(visits / most)));
}

/** Half the width of the 95 % interval of a mean of `visits` results in [0, 1] (normal approximation, doubted). */
export function halfWidth(mean: number, visits: number): number {
  const p = doubted(mean, visits);
  return 1.96 * Math.sqrt((p * (1 - p)) / (visits + 6));
}
