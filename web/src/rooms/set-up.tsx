// An editor: stones are put on the board, and the position becomes the game, to be searched or solved.
//
// A game takes set-up stones, or its spec takes a position as text: the letters of the sides and dots,
// row by row from the top, where the rules need it followed by who is to move.
import { useState } from "preact/hooks";
import type { Game, Geometry, Piece, Player, State } from "../api";
import { Board } from "../board/board";
import { byRows } from "../board/drawing";
import { sideOf } from "../board/pieces";
import { api, Refusal } from "../client";
import { parametersOf, spec } from "../game/document";
import { PERSON } from "../game/seats";
import { newGame } from "../game/table";
import { Dialog, Segments } from "../parts";

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

export function SetUp({ state, geometry, onClose }: { state: State; geometry: Geometry; onClose: () => void }) {
  const [pieces, setPieces] = useState(state.pieces);
  const [tool, setTool] = useState<Tool>("first");
  const [turn, setTurn] = useState<Player>(state.turn);
  const [refused, setRefused] = useState<string | null>(null);
  const [first, second] = state.sides;
  const put = (point: number): void => {
    const { letter, symbol } = sideOf(state.sides, tool === "empty" ? "first" : tool);
    const next = tool === "empty" || pieces[point]?.owner === tool ? null : { owner: tool, letter, symbol };
    setPieces(pieces.map((piece, i) => (i === point ? next : piece)));
  };
  const done = async (): Promise<void> => {
    try {
      await newGame({ document: await position(state, pieces, geometry, turn) }, [PERSON, PERSON]);
      onClose();
    } catch (error) {
      setRefused(error instanceof Error ? error.message : String(error));
    }
  };
  const sides = [{ value: "first" as const, label: first.name }, { value: "second" as const, label: second.name }];
  return (
    <Dialog title="Set up a position" onClose={onClose}
      foot={<><button class="button" onClick={() => setPieces(pieces.map(() => null))}>Clear</button><button class="button primary" onClick={() => void done()}>Set up</button></>}>
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
