// Characters or letters on the men of a board: letters where no font has the characters, or where the reader wants them.
import { useEffect, useState } from "preact/hooks";

const KEY = "tesuji.signs";
type Signs = "characters" | "letters";
const watchers = new Set<(signs: Signs) => void>();
let known: Signs | null = null;

/** How a text looks; two characters that no font has look the same. */
function picture(text: string): string {
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [24, 24];
  const context = canvas.getContext("2d", { willReadFrequently: true });
  if (!context) return text;
  context.font = "16px serif";
  context.fillText(text, 2, 18);
  return context.getImageData(0, 0, 24, 24).data.join();
}

function signs(): Signs {
  if (known) return known;
  let chosen: string | null = null;
  try {
    chosen = localStorage.getItem(KEY);
  } catch {
    // A browser that keeps nothing decides anew each time.
  }
  known = chosen === "letters" || chosen === "characters" ? chosen : picture("帥") === picture("將") ? "letters" : "characters";
  return known;
}

/** Which of the two the men show, kept up to date. */
export function useSigns(): Signs {
  const [now, set] = useState(signs);
  useEffect(() => {
    watchers.add(set);
    return () => void watchers.delete(set);
  }, []);
  return now;
}

export function toggleSigns(): void {
  const next: Signs = signs() === "letters" ? "characters" : "letters";
  known = next;
  try {
    localStorage.setItem(KEY, next);
  } catch {
    // It holds until the page is closed.
  }
  watchers.forEach((watcher) => watcher(next));
}

/** The sign of a man as the reader wants it. */
export const signOf = (piece: { symbol: string; letter: string }, wanted: Signs): string => (wanted === "letters" ? piece.letter.toUpperCase() : piece.symbol);
