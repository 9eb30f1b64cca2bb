// The front end is built into crates/web/assets, which the program embeds. File names carry the hash
// of their contents, so that the server may let browsers keep them for ever.
import { defineConfig } from "vite";

export default defineConfig({
  base: "./",
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    outDir: "../crates/web/assets",
    emptyOutDir: true,
    target: "es2022",
    modulePreload: { polyfill: false },
    // Nothing is put into the page as a data: address: the content security policy forbids it.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
  },
  server: {
    proxy: {
      "/api": { target: "http://127.0.0.1:7361", ws: true },
    },
  },
});
