// An editor: stones are put on the board, and the position becomes the game, to be searched or solved.
//
// A game takes set-up stones, or its spec takes a position as text: the letters of the sides and dots,
// row by row from the top, where the rules need it followed by who is to move.
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Game, Geometry, Piece, Player, State } from "../api";
import { Board } from "../board/board";
import { byRows } from "../board/drawing";
import { sideOf } from "../board/pieces";
import { api, Refusal } from "../client";
import { parametersOf, spec } from "../game/document";
import { PERSON } from "../game/seats";
import { newGame } from "../game/table";
import { Dialog, Segments, useLoaded } from "../parts";

/** Whether the game can be set up, by stones or by text. */
export const canSetUp = (state: State, game: Game | undefined): boolean =>
  state.abilities.set_up || (game?.parameters.some(({ name, kind }) => name === "position" && kind === "text") ?? false);

/** The stones as text, row by row from the top. */
export const asText = (pieces: (Piece | null)[], geometry: Geometry): string =>
  byRows(geometry).flat().map((point) => pieces[point]?.letter ?? ".").join("");

/** The document of the set-up position. */
async function position(state: State, pieces: (Piece | null)[], geometry: Geometry, turn: Player): Promise<string> {
  if (state.abilities.set_up) {
    const { id } = await api.start({ game: state.game });
    const of = (player: Player): string[] => pieces.flatMap((piece, i) => (piece?.owner === player ? [geometry.points[i]?.name ?? ""] : []));
    return (await api.setUp(id ?? "", { first: of("first"), second: of("second"), turn })).document;
  }
  const text = asText(pieces, geometry);
  const { position: _before, ...rules } = parametersOf(state.game);
  const says = (await api.games()).find(({ name }) => name === state.name)?.parameters.find(({ name }) => name === "position")?.about ?? "";
  const mover = says.includes("to move") ? ` ${sideOf(state.sides, turn).letter}` : "";
  const found = await api.position(spec(state.name, { ...rules, position: `"${text}${mover}"` }));
  if (found.turn !== turn) throw new Refusal("turn", `With these stones it is ${sideOf(state.sides, found.turn).name}’s turn.`);
  return found.document;
}

type Tool = Player | "empty";

interface SetUpProps {
  state: State;
  geometry: Geometry;
  /** What stands above the board. */
  above?: ComponentChildren;
  /** What the button says, and what becomes of the position; it becomes the game if left out. */
  verb?: string;
  onDone?: (document: string) => void;
  onClose: () => void;
}

export function SetUp({ state, geometry, above, verb = "Set up", onDone, onClose }: SetUpProps) {
  const [pieces, setPieces] = useState(state.pieces);
  const [tool, setTool] = useState<Tool>("first");
  const [turn, setTurn] = useState<Player>(state.turn);
  const [refused, setRefused] = useState<string | null>(null);
  useEffect(() => {
    setPieces(state.pieces);
    setTurn(state.turn);
    setRefused(null);
  }, [state.document]);
  const [first, second] = state.sides;
  const put = (point: number): void => {
    const { letter, symbol } = sideOf(state.sides, tool === "empty" ? "first" : tool);
    const next = tool === "empty" || pieces[point]?.owner === tool ? null : { owner: tool, letter, symbol };
    setPieces(pieces.map((piece, i) => (i === point ? next : piece)));
  };
  const done = async (): Promise<void> => {
    try {
      const document = await position(state, pieces, geometry, turn);
      if (onDone) return onDone(document);
      await newGame({ document }, [PERSON, PERSON]);
      onClose();
    } catch (error) {
      setRefused(error instanceof Error ? error.message : String(error));
    }
  };
  const sides = [{ value: "first" as const, label: first.name }, { value: "second" as const, label: second.name }];
  return (
    <Dialog title="Set up a position" onClose={onClose}
      foot={<><button class="button" onClick={() => setPieces(pieces.map(() => null))}>Clear</button><button class="button primary" onClick={() => void done()}>{verb}</button></>}>
      {above}
      <div class="row wrap">
        <Segments<Tool> label="Stone" value={tool} choices={[...sides, { value: "empty", label: "Empty" }]} onChange={setTool} />
        <span class="grow" />
        <Segments<Player> label="To move" value={turn} choices={sides.map((side) => ({ ...side, label: `${side.label} to move` }))} onChange={setTurn} />
      </div>
      <div class="set-up-board">
        <Board geometry={geometry} pieces={pieces} sides={state.sides} label="The position to set up" targets={new Set(pieces.keys())} hand={tool === "empty" ? null : tool} onPoint={put} />
      </div>
      {refused && <p class="notice" role="alert">{refused}</p>}
    </Dialog>
  );
}

interface Editable { name: string; title: string; state: State; geometry: Geometry }

/** All games that can be set up, at the size that people play. */
async function editable(): Promise<Editable[]> {
  const games = (await api.games()).filter((game) => game.has_board);
  const states = await Promise.all(games.map((game) => api.position(game.sizes[0]?.game ?? game.name)));
  return games.flatMap((game, i) => {
    const state = states[i];
    return state?.geometry && canSetUp(state, game) ? [{ name: game.name, title: state.title, state, geometry: state.geometry }] : [];
  });
}

/** An editor for a position of any game, for one that only asks about it. */
export function SetUpAny({ first, verb, onDone, onClose }: { first: string | undefined; verb: string; onDone: (document: string) => void; onClose: () => void }) {
  const { value: games } = useLoaded(editable, []);
  const [name, setName] = useState(first);
  const chosen = games?.find((one) => one.name === name) ?? games?.[0];
  if (!games || !chosen) return null;
  const above = (
    <label class="field"><span>Game</span>
      <select value={chosen.name} data-field="set-up-game" onChange={(event) => setName(event.currentTarget.value)}>
        {games.map((one) => <option value={one.name}>{one.title}</option>)}
      </select>
    </label>
  );
  return <SetUp state={chosen.state} geometry={chosen.geometry} above={above} verb={verb} onDone={onDone} onClose={onClose} />;
}
