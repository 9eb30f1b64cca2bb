// A new game: which, against which opponent, by which clock; or a record that is read.
import { useEffect, useState } from "preact/hooks";
import { api } from "../client";
import examples from "../data/examples.json";
import { count } from "../format";
import { bareName, parametersOf, spec } from "../game/document";
import { budgetWords, opponents, PERSON, type Clock, type Seat, type Seats } from "../game/seats";
import { newGame, tableNow } from "../game/table";
import { attempt, Segments, tell, useLoaded } from "../parts";
import type { Budget, Game, Parameter } from "../api";

const EXAMPLES: Record<string, string> = examples;
type Colour = "first" | "second" | "random" | "people" | "watch";
const CLOCKS: { label: string; clock: Clock | null }[] = [
  { label: "No clock", clock: null },
  ...[[3, 2], [5, 3], [10, 5], [30, 10]].map(([minutes = 0, increment = 0]) => ({
    label: `${minutes} min + ${increment} s a move`,
    clock: { main: minutes * 60, increment, left: [minutes * 60, minutes * 60] as [number, number] },
  })),
];
const EFFORTS: { label: string; budget: Budget | null }[] = [
  { label: "As the level says", budget: null },
  ...[1, 3, 10, 30].map((seconds) => ({ label: `${seconds} s a move`, budget: { seconds } })),
  ...[100, 1000, 10_000, 100_000].map((iterations) => ({ label: `${iterations.toLocaleString("en-GB")} iterations`, budget: { iterations } })),
];
/** Parameters that have a field of their own. */
const OWN = ["komi", "handicap"];

export function NewGame({ first, onStarted }: { first: string; onStarted: () => void }) {
  const { value: games, error } = useLoaded(() => api.games(), []);
  const [name, setName] = useState(first);
  const game = games?.find((one) => one.name === name) ?? games?.[0];
  if (error) return <p class="notice" role="alert">{error}</p>;
  if (!games || !game) return <p class="muted">Asking which games there are</p>;
  return (
    <div class="stack gap-4 new-game">
      <label class="field">
        <span>Game</span>
        <select value={game.name} onChange={(event) => setName(event.currentTarget.value)} data-field="game">
          {games.map((one) => <option value={one.name}>{titled(one)}</option>)}
        </select>
      </label>
      <Options game={game} key={game.name} onStarted={onStarted} />
    </div>
  );
}

/** "Go: surround the larger area" */
const titled = (game: Game): string => (game.about.startsWith(`${game.title}:`) ? game.about : `${game.title}: ${game.about}`);

function Options({ game, onStarted }: { game: Game; onStarted: () => void }) {
  // The size that the game is shown with, if it is one that people play on.
  const shown = parametersOf(EXAMPLES[game.name]?.split("~")[0] ?? "")["size"];
  const usual = game.sizes.find((one) => parametersOf(one.game)["size"] === shown)?.game ?? game.sizes.at(-1)?.game ?? bareName(game.document);
  const [size, setSize] = useState(usual);
  const [rules, setRules] = useState<Record<string, string>>(parametersOf(usual));
  const [komi, setKomi] = useState("");
  const [handicap, setHandicap] = useState("");
  const [colour, setColour] = useState<Colour>("first");
  const [effort, setEffort] = useState(0);
  const [clock, setClock] = useState(0);
  const [sgf, setSgf] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const [refused, setRefused] = useState<string | null>(null);
  const text = spec(game.name, rules);
  const { value: agents, error } = useLoaded(() => api.agents(text), [text]);
  const choices = agents ? opponents(agents) : [];
  const [chosen, setChosen] = useState("strongest");
  const [against, setAgainst] = useState("strongest");
  useEffect(() => setRefused(error), [error]);

  const seat = (key: string): Seat => {
    const found = choices.find((choice) => choice.key === key)?.seat ?? choices[0]?.seat ?? PERSON;
    const budget = EFFORTS[effort]?.budget;
    return budget && found.kind === "agent" ? { ...found, budget } : found;
  };
  const start = async (): Promise<void> => {
    setBusy(true);
    setRefused(null);
    try {
      const side = colour === "random" ? (Math.random() < 0.5 ? "first" : "second") : colour;
      const seats: Seats = side === "people" ? [PERSON, PERSON] : side === "watch" ? [seat(chosen), seat(against)]
        : side === "first" ? [PERSON, seat(chosen)] : [seat(chosen), PERSON];
      const record = sgf?.trim();
      if (record) {
        const { document, variations, comments, left_out } = await api.readRecord(text, record);
        const notes = { variations, comments: Object.fromEntries(comments.map((one) => [one.document, one.text])) };
        await newGame({ document }, [PERSON, PERSON], null, notes);
        if (left_out > 0) tell(`${count(left_out, "variation or comment", "variations and comments")} could not be read.`, false);
        return onStarted();
      }
      await newGame(
        {
          game: text,
          ...(komi !== "" ? { komi: Number(komi) } : {}),
          ...(handicap !== "" ? { handicap: Number(handicap) } : {}),
        },
        seats,
        CLOCKS[clock]?.clock ?? null,
      );
      onStarted();
    } catch (problem) {
      setRefused(problem instanceof Error ? problem.message : String(problem));
    } finally {
      setBusy(false);
    }
  };
  const [first, second] = game.sides;
  const extra = game.parameters.filter((parameter) => !OWN.includes(parameter.name));
  const opponent = choices.find((choice) => choice.key === chosen)?.seat;

  return (
    <>
      {game.sizes.length > 1 && (
        <div class="field">
          <span>Size</span>
          <select value={size} aria-label="Size" data-field="size" onChange={(event) => { setSize(event.currentTarget.value); setRules(parametersOf(event.currentTarget.value)); }}>
            {game.sizes.map((one) => <option value={one.game}>{one.label}</option>)}
          </select>
        </div>
      )}
      {sgf === null && (
        <>
          <div class="field">
            <span>You play</span>
            <span>
              <Segments<Colour> label="You play" value={colour} onChange={setColour}
                choices={[{ value: "first", label: first.name }, { value: "second", label: second.name }, { value: "random", label: "By lot" },
                  { value: "people", label: "Both" }, { value: "watch", label: "Neither" }]} />
            </span>
          </div>
          {colour !== "people" && (
            <div class="two">
              <Opponent label={colour === "watch" ? first.name : "Opponent"} value={chosen} choices={choices} onChange={setChosen} />
              {colour === "watch" && <Opponent label={second.name} value={against} choices={choices} onChange={setAgainst} />}
              <label class="field">
                <span>Effort</span>
                <select value={effort} onChange={(event) => setEffort(Number(event.currentTarget.value))}>
                  {EFFORTS.map((one, i) => <option value={i}>{one.label}</option>)}
                </select>
              </label>
            </div>
          )}
          {colour !== "people" && opponent?.kind === "agent" && <p class="caption">{opponent.label}: {budgetWords(EFFORTS[effort]?.budget ?? opponent.budget)}</p>}
          <div class="two">
            {game.komi && (
              <label class="field"><span>Komi</span>
                <input type="number" step="0.5" value={komi} placeholder={game.parameters.find((p) => p.name === "komi")?.default ?? "as usual"} onInput={(event) => setKomi(event.currentTarget.value)} />
              </label>
            )}
            {game.handicaps.length > 0 && (
              <label class="field"><span>Handicap</span>
                <select value={handicap} onChange={(event) => setHandicap(event.currentTarget.value)}>
                  <option value="">none</option>
                  {game.handicaps.map((stones) => <option value={stones}>{stones} stones</option>)}
                </select>
              </label>
            )}
            <label class="field"><span>Clock</span>
              <select value={clock} onChange={(event) => setClock(Number(event.currentTarget.value))}>
                {CLOCKS.map((one, i) => <option value={i}>{one.label}</option>)}
              </select>
            </label>
          </div>
          {extra.length > 0 && (
            <details>
              <summary>More rules</summary>
              <div class="two rules">
                {extra.map((parameter) => <Rule parameter={parameter} value={rules[parameter.name] ?? ""} onChange={(value) => setRules({ ...rules, [parameter.name]: value })} />)}
              </div>
            </details>
          )}
        </>
      )}
      {sgf !== null && <Record value={sgf} onChange={setSgf} />}
      {refused && <p class="notice" role="alert">{refused}</p>}
      <div class="row">
        <button class="button primary large grow" disabled={busy || (sgf === null ? colour !== "people" && !agents : sgf.trim() === "")} onClick={() => attempt(start())}>{sgf === null ? "Start" : "Read the record"}</button>
        <button class="button large" onClick={() => setSgf(sgf === null ? "" : null)}>{sgf === null ? "Read SGF" : "A new game"}</button>
      </div>
      {tableNow().game && <p class="caption">The game on the board is replaced. Save it as SGF first if you want to keep it.</p>}
    </>
  );
}

function Opponent({ label, value, choices, onChange }: { label: string; value: string; choices: ReturnType<typeof opponents>; onChange: (value: string) => void }) {
  const groups = [...new Set(choices.map((choice) => choice.group))];
  return (
    <label class="field">
      <span>{label}</span>
      <select value={value} onChange={(event) => onChange(event.currentTarget.value)} data-field="opponent">
        {groups.map((group) => {
          const options = choices.filter((choice) => choice.group === group).map((choice) => <option value={choice.key}>{choice.label}</option>);
          return group ? <optgroup label={group}>{options}</optgroup> : options;
        })}
      </select>
    </label>
  );
}

function Rule({ parameter, value, onChange }: { parameter: Parameter; value: string; onChange: (value: string) => void }) {
  const { kind, name, about } = parameter;
  return (
    <label class="field" title={`${about}; ${parameter.values}`}>
      <span>{name}: {about}</span>
      {kind === "choice" ? (
        <select value={value} onChange={(event) => onChange(event.currentTarget.value)}>
          <option value="">{parameter.default ?? "as usual"}</option>
          {parameter.choices.filter((choice) => choice !== parameter.default).map((choice) => <option value={choice}>{choice}</option>)}
        </select>
      ) : (
        <Entry parameter={parameter} value={value} onChange={onChange} />
      )}
    </label>
  );
}

function Entry({ parameter, value, onChange }: { parameter: Parameter; value: string; onChange: (value: string) => void }) {
  const { kind, low, high } = parameter;
  const placeholder = parameter.default ?? parameter.values;
  if (kind === "integer" || kind === "number") {
    return (
      <input type="number" value={value} placeholder={placeholder} {...(low === null ? {} : { min: low })} {...(high === null ? {} : { max: high })}
        step={kind === "integer" ? 1 : "any"} onInput={(event) => onChange(event.currentTarget.value)} />
    );
  }
  // Free text is written in quotation marks, which it cannot contain.
  const free = kind === "text";
  return (
    <input type="text" value={free ? value.replace(/^"|"$/g, "") : value} placeholder={placeholder}
      onInput={(event) => onChange(free && event.currentTarget.value ? `"${event.currentTarget.value.replaceAll('"', "")}"` : event.currentTarget.value)} />
  );
}

function Record({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  return (
    <>
      <label class="field">
        <span>A file</span>
        <input type="file" accept=".sgf,text/plain" onChange={(event) => attempt((event.currentTarget.files?.[0]?.text() ?? Promise.resolve("")).then(onChange))} />
      </label>
      <label class="field">
        <span>or its text</span>
        <textarea value={value} spellcheck={false} placeholder="(;GM[1]SZ[9]…)" onInput={(event) => onChange(event.currentTarget.value)} />
      </label>
    </>
  );
}
