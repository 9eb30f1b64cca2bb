// The frame around the rooms: bar, tabs, keys, and the bar that says when the server is gone.
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { api, onReachable } from "./client";
import { useTable } from "./game/table";
import { Brand, Icon } from "./icons";
import { Dialog, Toasts, useKeys } from "./parts";
import { go, href, useRoute, type Room } from "./router";
import { toggleTheme } from "./theme";

interface Entry { room: Room; name: string; short?: string; icon: string }
/** The rooms in the bar; a further room is one more entry here and one in `main.tsx`. */
const ENTRIES: Entry[] = [
  { room: "play", name: "Play", icon: "play" },
  { room: "analyse", name: "Analyse", icon: "analyse" },
  { room: "microscope", name: "Microscope", icon: "home" },
  { room: "proof", name: "Proof room", short: "Proofs", icon: "proof" },
  { room: "problems", name: "Problems", icon: "problems" },
  { room: "lab", name: "Lab", icon: "lab" },
];

const KEYS: [string, string][] = [
  ["arrows", "move the cursor on the board"],
  ["Enter", "play at the cursor"],
  ["U", "take back"],
  ["P", "pass"],
  ["H", "hint"],
  [", .", "previous and next move; with Shift ten moves"],
  ["Home End", "first and last move"],
  ["Space", "run or stop the analysis"],
  ["G", "discs: value, visits, prior, none"],
  ["L", "the line of the best move"],
  ["A", "say what the search has found"],
  ["N", "before the next mistake; with Shift the one before"],
  ["1 – 6", "Play, Analyse, Microscope, Proof room, Problems, Lab"],
  ["T", "light or dark"],
  ["?", "these keys"],
];

export function Frame({ room, children }: { room: Room; children: ComponentChildren }) {
  const [keys, setKeys] = useState(false);
  const [reachable, setReachable] = useState(true);
  const { game, shown, variation } = useTable();
  const { rest } = useRoute();
  useEffect(() => onReachable(setReachable), []);
  useKeys((event) => {
    if (event.key === "?") setKeys(true);
    else if (event.key === "t" || event.key === "T") toggleTheme();
    else if (ENTRIES[Number(event.key) - 1]) go(ENTRIES[Number(event.key) - 1]?.room ?? "home");
  });
  const name = ENTRIES.find((entry) => entry.room === room)?.name ?? "tesuji";
  useEffect(() => {
    document.title = room === "home" ? "tesuji" : `${name} · tesuji`;
  }, [room]);
  const current = (entry: Entry) => (entry.room === room ? { "aria-current": "page" as const } : {});
  return (
    <>
      <a class="skip" href="#main" onClick={(event) => { event.preventDefault(); document.getElementById("main")?.focus(); }}>To the contents</a>
      <header class={`bar ${room === "home" ? "at-home" : ""}`}>
        <a class="brand" href={href("home")} aria-label="tesuji, home"><Brand /><span>tesuji</span></a>
        <b class="room-name">{room === "home" ? "" : name}</b>
        <nav class="nav" aria-label="Rooms">
          {ENTRIES.map((entry) => <a href={href(entry.room)} {...current(entry)}>{entry.name}</a>)}
        </nav>
        <span class="grow" />
        {game && room !== "home" && room !== "lab" && room !== "problems" && !(room === "proof" && rest !== "") && (
          <span class="chip">{game.title}, {variation ? `variation, move ${variation.from + variation.moves.length}` : shown && shown !== game ? `move ${shown.at} of ${game.steps.length}` : `move ${game.steps.length}`}</span>
        )}
        <button class="icon-button only-desk" aria-label="Keys" title="Keys" onClick={() => setKeys(true)}><Icon name="keys" /></button>
        <button class="icon-button" aria-label="Light or dark" title="Light or dark" onClick={toggleTheme}><Icon name="theme" /></button>
      </header>
      {!reachable && (
        <div class="gone" role="alert">
          The server is gone. Your game is kept.
          <button class="button" onClick={() => void api.games().catch(() => undefined)}>Try again</button>
        </div>
      )}
      {children}
      <nav class="tabs" aria-label="Rooms, for the thumb">
        {ENTRIES.map((entry) => <a href={href(entry.room)} {...current(entry)}><Icon name={entry.icon} size={20} />{entry.short ?? entry.name}</a>)}
      </nav>
      <Toasts />
      {keys && (
        <Dialog title="Keys" onClose={() => setKeys(false)}>
          <div class="keys">
            {KEYS.map(([sign, text]) => <><span>{sign.split(" ").map((one) => <kbd>{one}</kbd>)}</span><span>{text}</span></>)}
          </div>
        </Dialog>
      )}
    </>
  );
}
