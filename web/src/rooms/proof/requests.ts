// What the Proof room asks the server: proofs that are kept and browsed, and trees of proof-number searches.
import type { ProofBook, ProofTree, ProofTreeView, ProofView } from "../../api";
import { get, post, query } from "../../client";

const at = (room: string, id: string): string => `/${room}/${encodeURIComponent(id)}`;

export const proofs = {
  /** The proof of what a position is worth. */
  solve: (document: string, seconds: number) => post<ProofBook>("/proofs", { document, budget: { seconds } }),
  /** A proof that was saved. */
  open: (base64: string) => post<ProofBook>("/proofs/file", { base64 }),
  view: (id: string, claim: number, path: readonly string[]) => get<ProofView>(`${at("proofs", id)}${query({ claim, path: path.join(" ") })}`),
  /** The address of the proof as a file. */
  file: (id: string): string => `/api/v1${at("proofs", id)}/file`,
  grow: (document: string, agent: string, budget: { seconds: number; iterations?: number }) => post<ProofTree>("/proof-trees", { document, agent, budget }),
  tree: (id: string, path: readonly string[]) => get<ProofTreeView>(`${at("proof-trees", id)}${query({ path: path.join(" ") })}`),
};

/** The bytes of a file in base64. */
export async function base64(file: Blob): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let text = "";
  for (let i = 0; i < bytes.length; i += 0x8000) text += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
  return btoa(text);
}
