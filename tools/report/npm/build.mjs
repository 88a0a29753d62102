// build.mjs - makes ../charts.js, or the file that is named, of charts.mjs: what
// of D3 the pages use, in one file, behind the licenses of what is in it.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import { build } from "esbuild";
import { readFileSync, writeFileSync } from "node:fs";

const { outputFiles: [code], metafile } = await build({
    entryPoints: ["charts.mjs"], bundle: true, minify: true, format: "iife", globalName: "d3",
    legalComments: "none", target: "es2020", write: false, metafile: true,
});
const packages = [...new Set(Object.keys(metafile.inputs).map((path) => /^node_modules\/([^/]+)/.exec(path)?.[1]).filter(Boolean))].sort();
const byLicense = new Map();
for (const name of packages) {
    const text = readFileSync(`node_modules/${name}/LICENSE`, "utf8").trim();
    const { version } = JSON.parse(readFileSync(`node_modules/${name}/package.json`, "utf8"));
    byLicense.set(text, [...(byLicense.get(text) ?? []), `${name} ${version}`]);
}
const head = ["Made by `npm ci && npm run build` in tools/report/npm; not to be edited.",
    ...[...byLicense].map(([text, names]) => `${names.join(", ")}:\n\n${text}`)].join("\n\n----\n\n");
writeFileSync(process.argv[2] ?? "../charts.js", `/* ${head.replaceAll("*/", "* /")}\n */\n${code.text}`);
