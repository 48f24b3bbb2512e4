// webgpu_glslang.mjs PACKAGE OTHER [ROUNDS] SHADER...: size and speed of compileGLSL of this project's npm
// package (the folder build/wasm/npm/coopc) and of @webgpu/glslang (its folder after npm install), in one run
// of Node. Prints medians of warm compiles, which alternate. SHADERs end in .vert, .frag or .comp.
import fs from 'node:fs';
import {createRequire} from 'node:module';
import path from 'node:path';
import zlib from 'node:zlib';

const [ours, theirs, ...rest] = process.argv.slice(2);
const rounds = /^\d+$/.test(rest[0] ?? '') ? Number(rest.shift()) : 200;
if (rest.length === 0) {
  console.error('webgpu_glslang.mjs PACKAGE OTHER [ROUNDS] SHADER...');
  process.exit(2);
}
const STAGES = {'.vert': 'vertex', '.frag': 'fragment', '.comp': 'compute'};
const require = createRequire(import.meta.url);
const timed = (call) => { const start = performance.now(); call(); return performance.now() - start; };
const median = (times) => times.sort((a, b) => a - b)[times.length >> 1];

console.log(`Node ${process.version}`);
const packages = [['coopc', path.resolve(ours, 'glslang.cjs'), path.join(ours, 'glslang.wasm')],
  ['@webgpu/glslang', path.resolve(theirs, 'dist/node-devel/glslang.js'), path.join(theirs, 'dist/node-devel/glslang.wasm')]];
const compilers = packages.map(([name, script, wasm]) => {
  const bytes = fs.readFileSync(wasm);
  let compiler;
  const start = timed(() => { compiler = require(script)(); });
  const first = timed(() => compiler.compileGLSL('#version 450\nvoid main() { }\n', 'compute', false));
  console.log(`${name.padEnd(18)} ${bytes.length} bytes, ${zlib.gzipSync(bytes, {level: 9}).length} gzipped, ${zlib.brotliCompressSync(bytes).length} brotli; ` +
    `${start.toFixed(1)} ms to start, ${first.toFixed(1)} ms the first compile`);
  return compiler;
});
console.log('warm compile, ms, medians        coopc   other    ratio');
for (const file of rest) {
  const text = fs.readFileSync(file, 'utf8');
  const stage = STAGES[path.extname(file)];
  // Warms up, so that the engine has translated all code before it is measured.
  for (const compiler of compilers) for (let i = 0; i < rounds; ++i) compiler.compileGLSL(text, stage, false, '1.3');
  const times = compilers.map(() => []);
  for (let turn = 0; turn < 7 * rounds; ++turn) compilers.forEach((compiler, i) => times[i].push(timed(() => compiler.compileGLSL(text, stage, false, '1.3'))));
  const [a, b] = times.map(median);
  console.log(`${path.basename(file).padEnd(30)} ${a.toFixed(3).padStart(7)} ${b.toFixed(3).padStart(7)} ${(b / a).toFixed(2).padStart(7)}x`);
}
