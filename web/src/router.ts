// Rooms by the fragment of the address: #/play, #/analyse/DOCUMENT, #/lab/EXPERIMENT.
import { useEffect, useState } from "preact/hooks";

export const ROOMS = ["home", "play", "analyse", "microscope", "proof", "problems", "lab"] as const;
export type Room = (typeof ROOMS)[number];
export interface Route { room: Room; rest: string }

export function parse(hash: string): Route {
  const [, room = "", ...rest] = hash.replace(/^#/, "").split("/");
  const known = ROOMS.find((name) => name === room) ?? "home";
  let text = rest.join("/");
  try {
    text = decodeURIComponent(text);
  } catch {
    text = "";
  }
  return { room: known, rest: text };
}

export const href = (room: Room, rest = ""): string => (room === "home" ? "#/" : `#/${room}${rest ? `/${encodeURIComponent(rest)}` : ""}`);
export const go = (room: Room, rest = ""): void => void (location.hash = href(room, rest));

export function useRoute(): Route {
  const [route, set] = useState(() => parse(location.hash));
  useEffect(() => {
    const changed = () => set(parse(location.hash));
    addEventListener("hashchange", changed);
    return () => removeEventListener("hashchange", changed);
  }, []);
  return route;
}
