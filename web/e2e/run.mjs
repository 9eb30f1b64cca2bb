// Runs the end-to-end tests against a server of its own: node e2e/run.mjs [words of names].
import * as analyse from "./analyse.mjs";
import { browser, faults, open, serve } from "./harness.mjs";
import * as microscope from "./microscope.mjs";
import * as play from "./play.mjs";
import * as proof from "./proof.mjs";
import * as rooms from "./rooms.mjs";

const wanted = process.argv.slice(2).join(" ");
const all = [...play.tests, ...analyse.tests, ...microscope.tests, ...proof.tests, ...rooms.tests].filter(({ name }) => name.includes(wanted));
const jobs = all.flatMap((test) => test.sizes.map((size) => ({ test, size })));
const external = process.env.TESUJI_URL;
const server = external ? { url: external, stop: async () => {} } : await serve();
const chrome = await browser();
let failed = 0;

async function one({ test, size }) {
  const began = Date.now();
  const page = await open(chrome, server.url, size, test.dark && size === "desk" ? { colorScheme: "dark" } : {});
  let [problems, skipped] = [[], undefined];
  try {
    skipped = await test.run(page);
    if (!skipped) problems = await faults(page);
  } catch (error) {
    problems = [String(error.message ?? error).split("\n").slice(0, 6).join("\n      "), ...page.errors.map((text) => `console: ${text}`)];
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/${test.name.replace(/\W+/g, "-").slice(0, 60)}-${size}.png` }).catch(() => {});
  }
  await page.context().close();
  if (problems.length > 0) failed += 1;
  console.log(`${problems.length > 0 ? "FAILED" : skipped ? "SKIP  " : "ok    "} ${((Date.now() - began) / 1000).toFixed(1).padStart(5)} s  ${test.name} (${size})${skipped ? `: ${skipped}` : ""}`);
  for (const problem of problems) console.log(`      ${problem}`);
}

// Two at a time: the machines that run this have two cores. What takes longest begins first.
const queue = [...jobs.filter(({ test }) => test.slow), ...jobs.filter(({ test }) => !test.slow)];
await Promise.all([0, 1].map(async () => { for (let job = queue.shift(); job; job = queue.shift()) await one(job); }));
await chrome.close();
await server.stop();
console.log(`${jobs.length - failed} of ${jobs.length} passed`);
process.exit(failed > 0 ? 1 : 0);
