// What the microscope asks the server: trees that are kept, their nodes and their iterations.
import type { Iterations, IterationStep, NewTree, Tours, Trace, Tree, TreeNode, TreePart } from "../../api";
import { drop, get, once, post, query } from "../../client";

/** Moves from the root as the interface writes them. */
export const joined = (path: readonly string[]): string => path.join(" ");

export interface Requests {
  search(question: NewTree): Promise<Tree>;
  more(id: string, iterations: number): Promise<Tree>;
  node(id: string, path: readonly string[], limit: number, iteration?: number): Promise<TreeNode>;
  part(id: string, path: readonly string[], shape: Shape, iteration?: number): Promise<TreePart>;
  step(id: string, iteration: number): Promise<IterationStep>;
  iterations(id: string, from: number, to: number): Promise<Iterations>;
  trace(id: string, paths: readonly string[], looks: number): Promise<Trace>;
  forget(id: string): Promise<void>;
}

/** How much of a tree is wanted: never more than can be seen. */
export interface Shape { depth: number; nodes: number; min_visits: number }

const at = (id: string): string => `/trees/${encodeURIComponent(id)}`;

export const requests: Requests = {
  search: (question) => post<Tree>("/trees", question),
  more: (id, iterations) => post<Tree>(`${at(id)}/more`, { iterations }),
  node: (id, path, limit, iteration) => get<TreeNode>(`${at(id)}/node${query({ path: joined(path), limit, iteration })}`),
  part: (id, path, shape, iteration) => get<TreePart>(`${at(id)}/part${query({ path: joined(path), ...shape, iteration })}`),
  step: (id, iteration) => get<IterationStep>(`${at(id)}/step${query({ iteration })}`),
  iterations: (id, from, to) => get<Iterations>(`${at(id)}/iterations${query({ from, to })}`),
  trace: (id, paths, looks) => get<Trace>(`${at(id)}/trace${query({ looks })}${paths.map((path) => `&path=${encodeURIComponent(path)}`).join("")}`),
  forget: (id) => drop(at(id)),
};

export const tours = async (): Promise<Tours["tours"]> => (await once<Tours>("/tours")).tours;
