// wasm.mjs FOLDER COOPC [ROUNDS]: size and speed of the WebAssembly module under this Node, compared with the
// program COOPC. FOLDER is the package's, build/wasm/npm/coopc. A batch of N copies of a job minus a batch of
// one copy gives the program's time for a warm compile, without the start of a process.
import {spawnSync} from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import {fileURLToPath, pathToFileURL} from 'node:url';
import zlib from 'node:zlib';

const [folder, coopc, rounds = '300'] = process.argv.slice(2);
if (coopc === undefined) {
  console.error('wasm.mjs FOLDER COOPC [ROUNDS]');
  process.exit(2);
}
const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const count = Number(rounds);
const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'coopc-bench-'));
const median = (times) => times.sort((a, b) => a - b)[times.length >> 1];
const timed = (call) => { const start = performance.now(); call(); return performance.now() - start; };

const bytes = fs.readFileSync(path.join(folder, 'coopc.wasm'));
console.log(`size: coopc.wasm ${bytes.length} bytes, ${zlib.gzipSync(bytes, {level: 9}).length} gzipped, ${zlib.brotliCompressSync(bytes).length} brotli`);
const start = performance.now();
const {load} = await import(pathToFileURL(path.join(path.resolve(folder), 'index.mjs')));
const module = await load();
const first = timed(() => module.compile('#version 450\nvoid main() { }'));
console.log(`Node ${process.version}: ${(performance.now() - start).toFixed(1)} ms from import to the first module (its compile ${first.toFixed(1)})`);

// Medians of blocks of compiles that alternate.
function native(file, level) {
  const seconds = (n) => {
    const list = path.join(scratch, `${n}.json`);
    fs.writeFileSync(list, JSON.stringify({jobs: Array.from({length: n}, () => [file, '-o', path.join(scratch, 'out.spv')])}));
    return timed(() => { if (spawnSync(coopc, ['-j1', level, '--target-env=vulkan1.4', '--batch', list]).status !== 0) throw new Error(`${file}: does not compile`); });
  };
  return (seconds(count + 1) - seconds(1)) / count;
}

const shaders = [path.join(root, 'bench/shaders/matrix.comp'), ...['vector_add', 'gemm_subgroup', 'flash_attention'].map((n) => path.join(root, `shaders/${n}.comp`))];
console.log('warm compile, ms, medians        WebAssembly   program    ratio   validate   reflect');
for (const file of shaders) {
  const source = fs.readFileSync(file, 'utf8');
  for (const [level, optimization] of [['-O0', 'none'], ['-O', 'speed']]) {
    const run = () => module.compile(source, {targetEnv: 'vulkan1.4', optimization});
    for (let i = 0; i < count; ++i) run();
    const ours = [], theirs = [], checks = [], reflections = [];
    for (let turn = 0; turn < 7; ++turn) {
      ours.push(timed(() => { for (let i = 0; i < count; ++i) run(); }) / count);
      theirs.push(native(file, level));
      const {words} = run();
      checks.push(timed(() => { for (let i = 0; i < count; ++i) module.validate(words); }) / count);
      reflections.push(timed(() => { for (let i = 0; i < count; ++i) module.reflect(words); }) / count);
    }
    const [a, b, c, d] = [ours, theirs, checks, reflections].map(median);
    console.log(`${`${path.basename(file)} ${level}`.padEnd(32)} ${a.toFixed(3).padStart(10)} ${b.toFixed(3).padStart(10)} ${(a / b).toFixed(2).padStart(7)}x ${c.toFixed(3).padStart(9)} ${d.toFixed(3).padStart(9)}`);
  }
}
console.log(`memory of the module: ${module.memoryBytes} bytes`);
fs.rmSync(scratch, {recursive: true});
