// The page: one frame, one room at a time.
import { render } from "preact";
import { useEffect, useState } from "preact/hooks";
import { plain } from "./format";
import { Frame } from "./frame";
import { restore, tableNow } from "./game/table";
import { openKept } from "./game/opened";
import { tell } from "./parts";
import { AnalyseRoom } from "./rooms/analyse";
import { HomeRoom } from "./rooms/home";
import { LabRoom } from "./rooms/lab";
import { MicroscopeRoom } from "./rooms/microscope/room";
import { PlayRoom } from "./rooms/play";
import { ProblemsRoom } from "./rooms/problems";
import { ProofRoom } from "./rooms/proof/room";
import { href, useRoute } from "./router";
import { applyTheme } from "./theme";
import "./styles/tokens.css";
import "./styles/base.css";
import "./styles/board.css";
import "./styles/rooms.css";
import "./rooms/microscope/microscope.css";

applyTheme();

function App() {
  const { room, rest } = useRoute();
  const [ready, setReady] = useState(false);
  const shared = (room === "play" || room === "analyse" || room === "microscope") && !rest.startsWith("new/") ? rest : "";
  // A position in the address comes before the game that was kept. Once it is on the board the address
  // is the room's, so that loading the page again keeps the moves made since.
  useEffect(() => {
    const own = async (): Promise<void> => void (tableNow().game ?? (await restore()));
    const say = (error: unknown): void => tell(plain(error instanceof Error ? error.message : String(error)), false);
    // An address that cannot be read leaves the game that was kept.
    const load = shared ? openKept(shared).catch((error: unknown) => { say(error); return own(); }).finally(() => history.replaceState(null, "", href(room))) : own();
    load.catch(say).finally(() => setReady(true));
  }, [shared]);
  return (
    <Frame room={room}>
      {room === "home" && <HomeRoom />}
      {room === "play" && <PlayRoom ready={ready} />}
      {room === "analyse" && <AnalyseRoom ready={ready} />}
      {room === "microscope" && <MicroscopeRoom ready={ready} />}
      {room === "proof" && <ProofRoom ready={ready} rest={rest} />}
      {room === "problems" && <ProblemsRoom rest={rest} />}
      {room === "lab" && <LabRoom id={rest} />}
    </Frame>
  );
}

const root = document.getElementById("app");
if (root) render(<App />, root);
