// Positions that an address or a tour brings, and what is said about the game that they replace.
import { attempt, tell } from "../parts";
import { backToBefore, open } from "./table";

/** Opens a position; a game that makes way for it is kept, and the way back is offered. */
export async function openKept(document: string): Promise<void> {
  if (await open(document)) tell("The game that was on the board is kept.", true, { label: "Back to my game", run: () => attempt(backToBefore()) });
}
