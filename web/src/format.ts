// Numbers as the pages write them: 20,000; 61.5 %; 1.2 M; 3 MB.

const grouped = new Intl.NumberFormat("en-GB", { maximumFractionDigits: 0 });

/** 20,000 */
export const whole = (x: number): string => grouped.format(x);

/** 61.5 (of hundred) */
export const points = (share: number): string => (100 * share).toFixed(1);

/** 61.5 % with a no-break space. */
export const percent = (share: number): string => `${points(share)}\u00a0%`;

/** 950, 12,300, 1.2 M: short enough for a table. */
export function short(x: number): string {
  if (x < 1_000_000) return whole(x);
  if (x < 10_000_000) return `${(x / 1e6).toFixed(2)}\u00a0M`;
  return `${whole(x / 1e6)}\u00a0M`;
}

/** 640 kB, 3 MB, 1.5 GB */
export function bytes(x: number): string {
  if (x < 1e6) return `${whole(Math.max(1, x / 1e3))}\u00a0kB`;
  if (x < 1e9) return `${whole(x / 1e6)}\u00a0MB`;
  return `${(x / 1e9).toFixed(1)}\u00a0GB`;
}

/** 0:07, 12:30, 1:02:03 */
export function clock(seconds: number): string {
  const all = Math.max(0, Math.ceil(seconds));
  const two = (x: number) => String(x).padStart(2, "0");
  const [h, m, s] = [Math.floor(all / 3600), Math.floor(all / 60) % 60, all % 60];
  return h > 0 ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
}

/** "1 move", "3 moves" */
export const count = (n: number, thing: string, things = `${thing}s`): string => `${whole(n)} ${n === 1 ? thing : things}`;

/** A refusal without the place in the text that it is about: who follows a link has not written it. */
export const plain = (message: string): string => message.replace(/ \(column \d+ of the spec\)/, "");
