// Lab: the experiments, and the reports of those that have run.
import { useEffect, useState } from "preact/hooks";
import { api } from "../client";
import { whole } from "../format";
import { Icon } from "../icons";
import { Segments, useLoaded } from "../parts";
import { href } from "../router";
import type { Experiment, Run } from "../api";

export function LabRoom({ id }: { id: string }) {
  return id ? <Reading id={id} key={id} /> : <List />;
}

const hours = (h: number): string => (h < 0.1 ? `${Math.max(1, Math.round(h * 60))} min` : h < 10 ? `${h.toFixed(1)} h` : `${whole(h)} h`);

function List() {
  const { value: experiments, error } = useLoaded(() => api.experiments(), []);
  const [word, setWord] = useState("");
  const shown = experiments?.filter((one) => `${one.id} ${one.title} ${one.claim}`.toLowerCase().includes(word.toLowerCase())) ?? [];
  return (
    <main id="main" tabIndex={-1} class="lab-list">
      <div class="between lab-head">
        <div><h1>Lab</h1><p class="muted">Claims of published work, each tested by one file. A report says whether the claim holds, by how much, and what differs from the source.</p></div>
        <label class="field"><span>Find</span><input type="search" value={word} onInput={(event) => setWord(event.currentTarget.value)} /></label>
      </div>
      {error && <p class="notice" role="alert">{error}</p>}
      <ul class="experiments">
        {shown.map((one) => (
          <li><a class="card pad" href={href("lab", one.id)}>
            <span class="between"><h2>{one.title}</h2><Status experiment={one} /></span>
            <span class="muted claim">{one.claim}</span>
            <span class="caption">{one.source} · {one.kind} · {hours(one.core_hours.quick)} quick, {hours(one.core_hours.full)} full, in core time{one.programs.length > 0 ? ` · starts ${one.programs.join(", ")}` : ""}</span>
          </a></li>
        ))}
      </ul>
      {experiments && shown.length === 0 && <p class="muted">No experiment says “{word}”.</p>}
    </main>
  );
}

function Status({ experiment }: { experiment: Experiment }) {
  return experiment.reports.length > 0 ? <span class="tag done">report: {experiment.reports.join(", ")}</span> : <span class="tag">not run</span>;
}

function Reading({ id }: { id: string }) {
  const [again, setAgain] = useState(0);
  const { value: experiment, error } = useLoaded(() => api.experiment(id), [id, again]);
  const [size, setSize] = useState("");
  useEffect(() => setSize((now) => now || (experiment?.reports[0] ?? "")), [experiment]);
  const has = experiment?.reports.includes(size) ?? false;
  const { value: report, error: unread } = useLoaded(() => (has ? api.report(id, size) : Promise.resolve(null)), [id, size, has, again]);
  if (!experiment) return <main id="main" tabIndex={-1} class="lab">{error ? <p class="notice" role="alert">{error}</p> : <h1 class="unseen">Lab</h1>}</main>;
  return (
    <main id="main" tabIndex={-1} class="lab">
      <article>
        <p class="caption"><a class="link" href={href("lab")}>Lab</a> / {experiment.id}</p>
        {/* A report begins with the title and the claim itself. */}
        <div class={report ? "unseen" : ""}>
          <h1>{experiment.title}</h1>
          <blockquote>{experiment.claim} <span class="caption">{experiment.source}</span></blockquote>
        </div>
        {experiment.reports.length > 1 && <p class="sizes"><Segments label="Report" value={size} choices={experiment.reports.map((one) => ({ value: one, label: one }))} onChange={setSize} /></p>}
        {unread && <p class="notice" role="alert">{unread}</p>}
        {report && <iframe class="report" sandbox="" srcdoc={report.html} title={`Report of ${experiment.id}`} />}
        {experiment.reports.length === 0 && <p class="card pad muted">This experiment has not been run here.</p>}
      </article>
      <aside>
        <dl class="facts">
          <dt>Kind</dt><dd>{experiment.kind}</dd>
          <dt>Core time</dt><dd>{hours(experiment.core_hours.quick)} quick, {hours(experiment.core_hours.full)} full</dd>
          <dt>Starts programs</dt><dd>{experiment.programs.length > 0 ? experiment.programs.join(", ") : "none"}</dd>
          {report && <><dt>Done</dt><dd>{whole(report.done)} of {whole(report.planned)} jobs</dd></>}
        </dl>
        <Running experiment={experiment} onChange={(done) => { setSize(done); setAgain((n) => n + 1); }} />
        <div><h3>In a terminal</h3><pre class="mono" tabIndex={0}>tesuji lab run {experiment.id} --quick</pre></div>
      </aside>
    </main>
  );
}

/** Starts a run, shows how far it is, and ends it. */
function Running({ experiment, onChange }: { experiment: Experiment; onChange: (size: string) => void }) {
  const { id, can_run } = experiment;
  const [run, setRun] = useState<Run | null>(null);
  const [refused, setRefused] = useState<string | null>(null);
  const failed = (error: unknown) => setRefused(error instanceof Error ? error.message : String(error));
  // A run that another page started goes on; only those with results are asked for.
  useEffect(() => {
    for (const size of experiment.reports) void api.run(id, size).then((found) => found.running && setRun(found), () => undefined);
  }, [id]);
  useEffect(() => {
    if (!run?.running) return;
    const timer = setInterval(() => void api.run(id, run.size).then((now) => {
      setRun(now);
      if (!now.running) onChange(now.size);
    }, failed), 1000);
    return () => clearInterval(timer);
  }, [run?.running, run?.size]);
  const start = (size: string) => void api.startRun(id, size).then((now) => { setRefused(null); setRun(now); if (!now.running) onChange(size); }, failed);
  if (!can_run) return <p class="caption">Runs are not started from here{experiment.programs.length > 0 ? ": this experiment starts programs" : ""}.</p>;
  return (
    <div class="stack gap-2">
      <h2>Run</h2>
      {run?.running ? (
        <>
          <progress value={run.done} max={Math.max(1, run.planned)} aria-label="Jobs done" />
          <p class="caption" role="status" data-run="running">{run.size}: {whole(run.done)} of {whole(run.planned)} jobs</p>
          <button class="button" onClick={() => void api.stopRun(id, run.size).then(() => api.run(id, run.size)).then(setRun, failed)}><Icon name="stop" size={16} />Stop</button>
        </>
      ) : (
        <div class="row">
          <button class="button primary grow" onClick={() => start("quick")}>Quick, {hours(experiment.core_hours.quick)}</button>
          <button class="button" onClick={() => start("full")}>Full, {hours(experiment.core_hours.full)}</button>
        </div>
      )}
      {run && !run.running && !run.failed && <p class="caption" role="status" data-run="done">{run.size}: {whole(run.done)} of {whole(run.planned)} jobs done</p>}
      {(refused ?? run?.failed) && <p class="notice" role="alert">{refused ?? run?.failed}</p>}
    </div>
  );
}
