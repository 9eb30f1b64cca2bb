// Guided tours: data that says which search to look at, and what to see in it, one stop after the other.
import { useState } from "preact/hooks";
import type { Tour, TourStop } from "../../api";
import { Icon } from "../../icons";
import { tell } from "../../parts";
import type { Phase, Scope } from "./scope";

/** Shows what a stop is about. */
export async function show(scope: Scope, stop: TourStop): Promise<void> {
  if (stop.watch) await scope.setWatch(stop.watch);
  await scope.seek(stop.iteration ?? null, (stop.phase ?? 1) as Phase, stop.path ?? []);
}

const text = (value: unknown): value is string => typeof value === "string" && value.length < 20_000;
const list = (value: unknown): boolean => value === undefined || value === null || (Array.isArray(value) && value.every(text));
const amount = (value: unknown): boolean => Number.isInteger(value) && Number(value) >= 0;

/** A tour from a file; says what is wrong where it is not one. */
export function readTour(source: string): Tour {
  const wrong = (what: string): never => {
    throw new Error(`This is not a tour: ${what}.`);
  };
  let found: Record<string, unknown>;
  try {
    found = JSON.parse(source) as Record<string, unknown>;
  } catch {
    return wrong("it is not JSON");
  }
  if (typeof found !== "object" || found === null) return wrong("it is not an object");
  for (const name of ["id", "title", "source", "document", "agent"]) if (!text(found[name])) return wrong(`"${name}" must be a text`);
  for (const name of ["seed", "iterations"]) if (!amount(found[name])) return wrong(`"${name}" must be a whole number`);
  const stops = found["stops"];
  if (!Array.isArray(stops) || stops.length === 0 || stops.length > 200) return wrong('"stops" must be a list of 1 to 200 stops');
  stops.forEach((stop: Record<string, unknown>, i) => {
    if (!text(stop["title"]) || !text(stop["text"])) wrong(`stop ${i + 1} must have a "title" and a "text"`);
    if (!["step", "tree", "trace"].includes(String(stop["view"]))) wrong(`the "view" of stop ${i + 1} must be step, tree or trace`);
    if (stop["iteration"] != null && !amount(stop["iteration"])) wrong(`the "iteration" of stop ${i + 1} must be a whole number`);
    if (stop["phase"] != null && ![1, 2, 3, 4].includes(Number(stop["phase"]))) wrong(`the "phase" of stop ${i + 1} must be 1, 2, 3 or 4`);
    if (!list(stop["path"]) || !list(stop["watch"])) wrong(`"path" and "watch" of stop ${i + 1} must be lists of texts`);
  });
  return found as unknown as Tour;
}

/** The stop of a tour, with the way to the others. */
interface StopProps { tour: Tour; at: number; busy: boolean; onGo: (at: number) => void; onSave: () => void; onEnd: () => void }

export function Stop({ tour, at, busy, onGo, onSave, onEnd }: StopProps) {
  const stop = tour.stops[at];
  if (!stop) return null;
  return (
    <section class="card tour-stop" aria-label={`Tour: ${tour.title}`} data-stop={at}>
      <div class="between">
        <span class="caption">{tour.title} · {at + 1} of {tour.stops.length} · {tour.source}</span>
        <button class="icon-button" aria-label="End the tour" onClick={onEnd}><Icon name="close" /></button>
      </div>
      <div class="tour-text" aria-live="polite"><h2>{stop.title}</h2><p>{stop.text}</p></div>
      <div class="row">
        <button class="button quiet" disabled={busy} title="One page that needs no server" onClick={onSave}>Save the tour</button>
        <button class="button" disabled={busy || at === 0} onClick={() => onGo(at - 1)}>Back</button>
        {at + 1 < tour.stops.length
          ? <button class="button primary" disabled={busy} onClick={() => onGo(at + 1)}>Next</button>
          : <button class="button primary" onClick={onEnd}>End the tour</button>}
      </div>
    </section>
  );
}

export function TourList({ tours, onStart }: { tours: Tour[]; onStart: (tour: Tour) => void }) {
  const [key, setKey] = useState(0);
  const read = async (file: File): Promise<void> => {
    try {
      onStart(readTour(await file.text()));
    } catch (error) {
      tell(error instanceof Error ? error.message : String(error), false);
    }
    setKey(key + 1);
  };
  return (
    <nav class="tours" aria-label="Guided tours">
      <span class="muted">Tours</span>
      {tours.map((tour) => <button class="chip" data-tour={tour.id} onClick={() => onStart(tour)}>{tour.title}</button>)}
      <label class="chip file-chip">Open a tour
        <input key={key} class="unseen" type="file" accept="application/json,.json" onChange={(event) => { const file = event.currentTarget.files?.[0]; if (file) void read(file); }} />
      </label>
    </nav>
  );
}
