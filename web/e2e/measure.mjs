// Figures of the page in a real browser, for docs/web.md: node e2e/measure.mjs. Nothing here fails; it prints.
//
// First paint and compressed bytes of a first visit; then a tree of a million nodes under the microscope: the page's
// memory while many of its nodes are opened, and the time between frames while it scrolls.
import { gzipSync } from "node:zlib";
import { browser, open, serve, until } from "./harness.mjs";

const server = process.env.TESUJI_URL ? { url: process.env.TESUJI_URL, stop: async () => {} } : await serve();
const chrome = await browser();
const median = (list) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)];
const told = (list, digits = 0) => `median ${median(list).toFixed(digits)}, least ${Math.min(...list).toFixed(digits)}, most ${Math.max(...list).toFixed(digits)} (n = ${list.length})`;

for (const size of ["desk", "phone"]) {
  const paints = [];
  let bytes = 0;
  for (let i = 0; i < 7; i++) {
    const page = await open(chrome, server.url, size);
    const sizes = [];
    page.on("response", (response) => sizes.push(response.body().then((body) => gzipSync(body).length, () => 0)));
    await page.fresh("");
    paints.push(await until(() => page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0]?.startTime), "a paint"));
    bytes = (await Promise.all(sizes)).reduce((sum, one) => sum + one, 0);
    await page.context().close();
  }
  console.log(`${size}: first paint in ms: ${told(paints)}; ${(bytes / 1000).toFixed(0)} kB compressed, answers of the interface included`);
}

const page = await open(chrome, server.url, "desk");
const devtools = await page.context().newCDPSession(page);
await devtools.send("Performance.enable");
/** Memory after what is not used any more was thrown away. */
const weigh = async () => {
  await devtools.send("HeapProfiler.collectGarbage");
  const { metrics } = await devtools.send("Performance.getMetrics");
  const of = (name) => metrics.find((one) => one.name === name).value;
  return { heap: of("JSHeapUsedSize") / 1e6, elements: of("Nodes") };
};
await page.fresh(`microscope/${encodeURIComponent("hex(size=11)")}`);
const ready = () => page.locator("main.microscope[data-ready=yes]").waitFor({ timeout: 120_000 });
await ready();
const nodes = async () => Number(await page.locator("[data-nodes]").getAttribute("data-nodes"));
const small = { ...(await weigh()), nodes: await nodes() };
while ((await nodes()) < 1_000_000) {
  const before = await nodes();
  await page.getByRole("button", { name: "Search on by 10,000 iterations" }).click();
  await until(async () => (await nodes()) > before, "more nodes", 120_000);
  await ready();
}
const large = { ...(await weigh()), nodes: await nodes() };
const opened = [];
for (let i = 0; i < 100; i++) {
  const began = Date.now();
  const children = page.locator("[data-child]");
  const many = await children.count();
  if (many === 0 || i % 5 === 4) await page.locator(".path-bar .crumb").first().click();
  else await children.nth(i % Math.min(7, many)).locator("button").first().click();
  await ready();
  opened.push(Date.now() - began);
}
const after = await weigh();
console.log(`microscope: ${small.nodes} nodes: ${small.heap.toFixed(1)} MB, ${small.elements} DOM nodes; ${large.nodes} nodes: ${large.heap.toFixed(1)} MB, ${large.elements} DOM nodes; after 100 looks at nodes: ${after.heap.toFixed(1)} MB, ${after.elements} DOM nodes`);
console.log(`microscope: a click on a child until it is shown, in ms: ${told(opened)}`);
const frames = page.evaluate(() => new Promise((resolve) => {
  const times = [];
  const end = performance.now() + 3000;
  const next = (now) => {
    times.push(now);
    if (now < end) requestAnimationFrame(next);
    else resolve(times.slice(1).map((time, i) => time - times[i]));
  };
  requestAnimationFrame(next);
}));
await page.mouse.move(900, 700);
for (let i = 0; i < 60; i++) {
  await page.mouse.wheel(0, i % 20 < 10 ? 60 : -60);
  await page.waitForTimeout(40);
}
const between = await frames;
console.log(`microscope: between frames while it scrolls, in ms: ${told(between, 1)}; above 34 ms: ${between.filter((one) => one > 34).length}`);
await chrome.close();
await server.stop();
