// Searches of the analysis: the live one of the position on the board, and the walk over a whole game.
import { useEffect, useRef, useState } from "preact/hooks";
import { api } from "../client";
import { live, type Search } from "../live";
import { useVisible } from "../visible";
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

export interface Analysis { report: Report | null; running: boolean; waiting: boolean; made_way: boolean; error: string | null }
const NOTHING: Analysis = { report: null, running: false, waiting: false, made_way: false, error: null };

/** Who goes through a game quickly starts no search at every move. */
const SETTLED_MS = 80;

/** A search of the position that goes on until it is stopped, the position changes or the page is no longer seen. */
export function useAnalysis(document: string | null, over: boolean, agent: string | null, run: boolean, onEnd: () => void): Analysis {
  const [analysis, set] = useState(NOTHING);
  const seen = useVisible();
  const last = useRef<{ key: string; report: Report } | null>(null);
  const key = `${agent} ${document}`;
  useEffect(() => {
    if (last.current?.key !== key) {
      last.current = null;
      set(NOTHING);
    }
    if (!run || !seen || document === null || agent === null || over) {
      set((old) => ({ ...old, running: false, waiting: false }));
      return;
    }
    let search: Search | null = null;
    let current = true;
    const settled = new Promise((resolve) => setTimeout(resolve, SETTLED_MS));
    const show = (report: Report, running: boolean): void => {
      if (!current) return;
      last.current = { key, report };
      learn(document, report);
      set((old) => ({ ...old, report, running, error: null }));
    };
    set((old) => ({ ...old, running: true, made_way: false, error: null }));
    void Promise.all([api.about(), settled]).then(([{ limits }]) => {
      if (!current) return;
      search = live.search({ document, agent, budget: { seconds: limits.seconds }, every_ms: 250, candidates: 100 }, {
        queued: () => current && set((old) => ({ ...old, waiting: true })),
        started: () => current && set((old) => ({ ...old, waiting: false })),
        snapshot: (report) => show(report, true),
        done: (report, _state, made_way) => {
          show(report, false);
          if (!current) return;
          set((old) => ({ ...old, made_way }));
          onEnd();
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
  }, [key, run, seen, over]);
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
