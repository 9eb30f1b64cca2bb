// Searches of the analysis: the live one of the position on the board, and the walk over a whole game.
import { useEffect, useRef, useState } from "preact/hooks";
import { api } from "../client";
import { live, type Search } from "../live";
import type { Budget, Report } from "../api";
import { prefix } from "./document";
import { better, judgedBy, type Judged } from "./judgement";

const known = new Map<string, Judged>();
const watchers = new Set<() => void>();
function learn(document: string, report: Report): void {
  known.set(document, better(known.get(document), judgedBy(report)));
  watchers.forEach((watcher) => watcher());
}

/** All judgements so far, by position; the value changes whenever one is added. */
export function useJudgements(): ReadonlyMap<string, Judged> {
  const [, set] = useState(0);
  useEffect(() => {
    const watcher = () => set((n) => n + 1);
    watchers.add(watcher);
    return () => void watchers.delete(watcher);
  }, []);
  return known;
}

export interface Analysis { report: Report | null; running: boolean; waiting: boolean; error: string | null }
const NOTHING: Analysis = { report: null, running: false, waiting: false, error: null };

/** A search of the position that goes on until it is stopped or the position changes. */
export function useAnalysis(document: string | null, over: boolean, agent: string, run: boolean, onEnd: () => void): Analysis {
  const [analysis, set] = useState(NOTHING);
  const last = useRef<{ key: string; report: Report } | null>(null);
  const key = `${agent} ${document}`;
  useEffect(() => {
    if (last.current?.key !== key) {
      last.current = null;
      set(NOTHING);
    }
    if (!run || document === null || over) {
      set((old) => ({ ...old, running: false, waiting: false }));
      return;
    }
    let search: Search | null = null;
    let current = true;
    const show = (report: Report, running: boolean): void => {
      if (!current) return;
      last.current = { key, report };
      learn(document, report);
      set((old) => ({ ...old, report, running, error: null }));
    };
    set((old) => ({ ...old, running: true, error: null }));
    void api.about().then(({ limits }) => {
      if (!current) return;
      search = live.search({ document, agent, budget: { seconds: limits.seconds }, every_ms: 250, candidates: 100 }, {
        queued: () => current && set((old) => ({ ...old, waiting: true })),
        started: () => current && set((old) => ({ ...old, waiting: false })),
        snapshot: (report) => show(report, true),
        done: (report) => {
          show(report, false);
          if (current) onEnd();
        },
        failed: (error) => {
          if (!current) return;
          set((old) => ({ ...old, running: false, error }));
          onEnd();
        },
      });
    });
    return () => {
      current = false;
      search?.cancel();
    };
  }, [key, run, over]);
  return analysis;
}

export interface Walk { done: number; all: number }

/** Searches every position of the game in turn; returns what ends the walk early. */
export function walk(document: string, steps: number, agent: string, budget: Budget, onStep: (walk: Walk | null, error?: string) => void): () => void {
  let [at, current] = [0, true];
  let search: Search | null = null;
  const next = (): void => {
    if (!current) return;
    if (at > steps) return onStep(null);
    const position = prefix(document, at);
    onStep({ done: at, all: steps + 1 });
    search = live.search({ document: position, agent, budget, candidates: 1, every_ms: 5000 }, {
      done: (report) => {
        learn(position, report);
        at += 1;
        next();
      },
      failed: (error) => {
        // The end of a game cannot be searched; anything before it must be.
        if (at === steps) onStep(null);
        else onStep(null, error);
      },
    });
  };
  next();
  return () => {
    current = false;
    search?.cancel();
    onStep(null);
  };
}

/** What the rules say of a finished game, as a judgement. */
export function learnOutcome(document: string, score: number): void {
  known.set(document, { value: score, best: null, effort: Infinity });
  watchers.forEach((watcher) => watcher());
}
