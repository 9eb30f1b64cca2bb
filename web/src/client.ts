// The HTTP half of the API: one function for each request the rooms make.
import type {
  About, Agents, Dead, Experiment, ExperimentReport, Experiments, Failed, Games, NewSession, Notes, Player, Points, Problem, Puzzles, RecordRead, Run, SetUp, State,
} from "./api";

/** What the server refused, in a sentence for people. */
export class Refusal extends Error {
  constructor(readonly code: string, message: string) {
    super(message);
  }
}

/** Whether the server could be reached at the last request; the frame shows a bar when not. */
type Watcher = (reachable: boolean) => void;
const watchers = new Set<Watcher>();
export function onReachable(watcher: Watcher): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}
const tell = (reachable: boolean) => watchers.forEach((watcher) => watcher(reachable));

async function request(method: string, path: string, body?: unknown): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(`/api/v1${path}`, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
    });
  } catch {
    tell(false);
    throw new Refusal("gone", "The server is gone. Your game is kept.");
  }
  tell(true);
  if (response.ok) return response;
  let error: Problem = { code: String(response.status), message: `The server answered ${response.status}.` };
  try {
    error = ((await response.json()) as Failed).error ?? error;
  } catch {
    // An answer that is not JSON comes from something in between; its status is all there is.
  }
  throw new Refusal(error.code, error.message);
}

const json = async <T>(method: string, path: string, body?: unknown): Promise<T> =>
  (await (await request(method, path, body)).json()) as T;
export const get = <T>(path: string): Promise<T> => json<T>("GET", path);
export const post = <T>(path: string, body: unknown = {}): Promise<T> => json<T>("POST", path, body);
export const drop = async (path: string): Promise<void> => void (await request("DELETE", path));
export const query = (values: Record<string, string | number | undefined>): string => {
  const pairs = Object.entries(values).filter(([, value]) => value !== undefined);
  return pairs.length === 0 ? "" : `?${pairs.map(([key, value]) => `${key}=${encodeURIComponent(String(value))}`).join("&")}`;
};

/** Asks whether the server is there; the watchers hear the answer. */
export const probe = (): void => void request("GET", "").catch(() => undefined);

/** Lists do not change while a page is open: each is asked for once. */
const kept = new Map<string, Promise<unknown>>();
export function once<T>(path: string): Promise<T> {
  const known = kept.get(path) as Promise<T> | undefined;
  if (known) return known;
  const asked = get<T>(path);
  kept.set(path, asked);
  asked.catch(() => kept.delete(path));
  return asked;
}

export const api = {
  about: () => once<About>(""),
  games: async () => (await once<Games>("/games")).games,
  agents: (game: string) => once<Agents>(`/agents${query({ game })}`),
  problems: async (game: string) => (await once<Puzzles>(`/problems${query({ game })}`)).problems,
  experiments: async () => (await get<Experiments>("/experiments")).experiments,
  experiment: (id: string) => get<Experiment>(`/experiments/${encodeURIComponent(id)}`),
  report: (id: string, size: string) =>
    get<ExperimentReport>(`/experiments/${encodeURIComponent(id)}/report${query({ size })}`),
  startRun: (id: string, size: string) => post<Run>(`/experiments/${encodeURIComponent(id)}/run`, { size }),
  run: (id: string, size: string) => get<Run>(`/experiments/${encodeURIComponent(id)}/run${query({ size })}`),
  stopRun: (id: string, size: string) => request("DELETE", `/experiments/${encodeURIComponent(id)}/run${query({ size })}`),
  position: (document: string, at?: number) => get<State>(`/position${query({ document, at })}`),
  start: (start: NewSession) => post<State>("/sessions", start),
  session: (id: string, at?: number) => get<State>(`/sessions/${id}${query({ at })}`),
  play: (id: string, move: string) => post<State>(`/sessions/${id}/play`, { move }),
  undo: (id: string, steps: number) => post<State>(`/sessions/${id}/undo`, { steps }),
  resign: (id: string, player: Player, out_of_time = false) => post<State>(`/sessions/${id}/resign`, { player, out_of_time }),
  dead: (id: string) => get<Dead>(`/sessions/${id}/dead`),
  chain: async (id: string, point: string) =>
    (await get<Points>(`/sessions/${id}/chain${query({ point })}`)).points,
  setUp: (id: string, stones: SetUp) => post<State>(`/sessions/${id}/stones`, stones),
  setDead: (id: string, dead: string[]) => post<State>(`/sessions/${id}/dead`, { dead }),
  sgf: async (id: string, notes: Notes) => (await request("POST", `/sessions/${id}/sgf`, notes)).text(),
  readRecord: (game: string, sgf: string) => post<RecordRead>("/records", { game, sgf }),
};
