// The WebAssembly module under Node: its results are compared byte by byte with those of the native programs
// for the same texts.
import assert from 'node:assert';
import {execFileSync, spawnSync} from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import {test} from 'node:test';
import {fileURLToPath, pathToFileURL} from 'node:url';
import zlib from 'node:zlib';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const {load} = await import(pathToFileURL(path.join(process.env.COOPC_NPM_FOLDER, 'index.mjs')));
const coopc = await load();
const scratch = process.env.COOPC_SCRATCH;
fs.rmSync(scratch, {recursive: true, force: true});
fs.mkdirSync(scratch, {recursive: true});

const LEVELS = [['-O0', {optimization: 'none'}], ['-O', {optimization: 'speed'}], ['-Os', {optimization: 'size'}], ['-g', {debugInfo: true}]];
const samples = fs.readdirSync(path.join(root, 'shaders')).filter((name) => name.endsWith('.comp')).map((name) => path.join(root, 'shaders', name));
// Texts without #include, which is tested below.
const tests = fs.readdirSync(path.join(root, 'tests/shaders'), {recursive: true}).filter((name) => name.endsWith('.comp'))
  .map((name) => path.join(root, 'tests/shaders', name)).filter((file) => !/^\s*#\s*include/m.test(fs.readFileSync(file, 'utf8')));
const bytesOf = (words) => Buffer.from(words.buffer, words.byteOffset, words.byteLength);
const minimal = '#version 450\nlayout(binding = 0) buffer B { float a[]; };\nvoid main() { a[0] = 1.0; }\n';

// Compiles the files in one process. Each job's `out` is the module, which does not exist if the file has
// errors.
function native(files) {
  const folder = fs.mkdtempSync(path.join(scratch, 'native-'));
  const jobs = files.flatMap((file) => LEVELS.map(([flag], level) => ({file, flag, level})));
  jobs.forEach((job, i) => { job.out = path.join(folder, `${i}.spv`); });
  const list = path.join(folder, 'jobs.json');
  fs.writeFileSync(list, JSON.stringify(jobs.map(({file, flag, out}) => ({arguments: [flag, file, '-o', out]}))));
  spawnSync(process.env.COOPC, ['--target-env=vulkan1.4', '-fno-glslang', '-w', '--batch', list], {cwd: root, stdio: 'ignore', maxBuffer: 1 << 28});
  return jobs;
}

// Returns how many modules were compared.
function compare(files) {
  let modules = 0;
  for (const {file, flag, level, out} of native(files)) {
    const result = coopc.compile(fs.readFileSync(file, 'utf8'),
      {name: file, targetEnv: 'vulkan1.4', suppressWarnings: true, ...LEVELS[level][1]});
    assert.strictEqual(result.ok, fs.existsSync(out), `${file} ${flag}: ${result.status}\n${result.messages}`);
    if (!result.ok) continue;
    assert.ok(bytesOf(result.words).equals(fs.readFileSync(out)), `${file} ${flag}: other bytes than the program's`);
    ++modules;
  }
  return modules;
}

test('the modules of all samples are the same bytes at every level', () => {
  assert.strictEqual(samples.length, 18);
  assert.strictEqual(compare(samples), samples.length * LEVELS.length);
});

test('so are those of the shader tests', (t) => {
  const modules = compare(tests);
  t.diagnostic(`${modules} modules of ${tests.length} texts`);
  assert.ok(modules >= 500, `${modules} modules`);
});

test('findings and reflection of all samples are the programs\'', () => {
  for (const file of samples) {
    for (const [flag, options] of LEVELS) {
      const {words} = coopc.compile(fs.readFileSync(file, 'utf8'), {name: file, targetEnv: 'vulkan1.4', ...options});
      const module = path.join(scratch, 'module.spv');
      fs.writeFileSync(module, bytesOf(words));
      const checked = spawnSync(process.env.COOPVAL, ['--no-core', '--profile', 'lavapipe', '--format', 'json', module], {encoding: 'utf8', maxBuffer: 1 << 28});
      const {ok, ...found} = coopc.validate(words, {name: module, profile: 'lavapipe'});
      assert.deepStrictEqual(found, JSON.parse(checked.stdout).files[0], `${file} ${flag}`);
      assert.strictEqual(ok, checked.status === 0, `${file} ${flag}`);
      const said = execFileSync(process.env.COOPC, ['--profile', 'lavapipe', module], {encoding: 'utf8', maxBuffer: 1 << 28});
      assert.deepStrictEqual(coopc.reflect(words, {profile: 'lavapipe'}), JSON.parse(said), `${file} ${flag}`);
    }
  }
});

test('findings: at least one sample cannot run on a CPU driver, and suppressing, constants and bytes are heard', () => {
  const {words} = coopc.compile(fs.readFileSync(path.join(root, 'shaders/gemm_workgroup.comp'), 'utf8'), {targetEnv: 'vulkan1.4'});
  const checked = coopc.validate(words, {profile: 'lavapipe'});
  assert.strictEqual(checked.ok, false);
  const rules = [...new Set(checked.findings.map((finding) => finding.rule))];
  assert.ok(rules.length > 0);
  assert.ok(coopc.validate(words, {profile: 'lavapipe', suppress: rules}).ok);
  assert.deepStrictEqual(coopc.validate(bytesOf(words), {profile: JSON.parse(coopc.shippedProfile('lavapipe'))}), checked);
  assert.deepStrictEqual(coopc.validate(words, {specialization: {4242: 7n}}).unknownSpecIds, [4242]);
  assert.strictEqual(coopc.validate(words, {profile: 'lavapipe', maxFindings: 0}).dropped, checked.findings.length);
  assert.strictEqual(coopc.shippedProfile('none'), undefined);
});

test('options reach the compiler', () => {
  const text = '#version 450\nlayout(local_size_x = N) in;\nlayout(binding = 0) buffer B { float a[]; };\nvoid main() { a[0] = 1.0; }\n';
  assert.strictEqual(coopc.compile(text).ok, false);
  const made = coopc.compile(text, {defines: {N: 7}, output: 'assembly', entryPoint: 'kernel', generator: 0x00120034, spirvVersion: '1.5', targetEnv: 'vulkan1.2'});
  assert.match(made.text, /OpEntryPoint GLCompute %\S+ "kernel"/);
  assert.match(made.text, /LocalSize 7 1 1/);
  assert.strictEqual(made.words[1], 0x00010500);
  assert.strictEqual(made.words[2], 0x00120034);
  assert.match(coopc.disassemble(made.words).text, /LocalSize 7 1 1/);
  assert.strictEqual(coopc.compile(text, {defines: {N: 7}, output: 'preprocessed'}).text.includes('local_size_x = 7'), true);
  const missing = '#version 450\nint f(int a) { if (a > 0) return 1; }\nvoid main() { f(2); }';
  const warned = (options) => coopc.compile(missing, options).diagnostics.some(({id}) => id === 'missing-return');
  assert.deepStrictEqual([warned({}), warned({warnings: {'missing-return': true}})], [false, true]);
  const vertex = coopc.compile('#version 450\nvoid main() { gl_Position = vec4(0); }', {stage: 'vertex', output: 'assembly'});
  assert.match(vertex.text, /OpEntryPoint Vertex %\S+ "main"/);
  assert.strictEqual(coopc.compile('#version 450\nvoid main() { }', {targetEnv: 'opengl4.5'}).status, 'helper-missing');
  const size = '#version 450\nlayout(local_size_x = 64) in;\nvoid main() { }';
  assert.strictEqual(coopc.compile(size).ok, true);
  assert.strictEqual(coopc.compile(size, {limits: {MaxComputeWorkGroupSizeX: 32}}).status, 'input-error');
});

test('#include', () => {
  const text = '#version 450\n#extension GL_GOOGLE_include_directive : require\n#include "a.glsl"\nvoid main() { a(); }\n';
  assert.strictEqual(coopc.compile(text).ok, false);
  const files = {'a.glsl': '#include <b.glsl>\nvoid a() { b(); }\n', 'b.glsl': 'void b() { }\n'};
  for (const include of [files, new Map(Object.entries(files)), (name) => files[name]]) {
    const result = coopc.compile(text, {include, name: 'main.comp'});
    assert.ok(result.ok, result.messages);
    assert.deepStrictEqual(result.dependencies, ['main.comp', 'a.glsl', 'b.glsl']);
  }
  const asked = [];
  const result = coopc.compile(text, {include: (name, where) => { asked.push([name, where]); return {name: `/lib/${name}`, text: files[name]}; }, name: 'main.comp'});
  assert.deepStrictEqual(result.dependencies, ['main.comp', '/lib/a.glsl', '/lib/b.glsl']);
  assert.deepStrictEqual(asked, [['a.glsl', {from: 'main.comp', angled: false, depth: 1}], ['b.glsl', {from: '/lib/a.glsl', angled: true, depth: 2}]]);
  assert.match(coopc.compile(text, {include: {}}).messages, /a\.glsl/);
  // A compile inside a compile, and exceptions of the function.
  assert.ok(coopc.compile(text, {include: (name) => { assert.ok(coopc.compile(minimal).ok); return files[name]; }}).ok);
  assert.throws(() => coopc.compile(text, {include: () => { throw new Error('no disk'); }}), /^Error: no disk$/);
  assert.throws(() => coopc.compile(text, {include: () => 7}), TypeError);
  assert.ok(coopc.compile(minimal).ok);
});

test('wrong arguments throw, wrong texts and modules do not', () => {
  assert.throws(() => coopc.compile(minimal, {targetenv: 'vulkan1.3'}), /there is no option "targetenv"/);
  assert.throws(() => coopc.compile(minimal, {targetEnv: 'vulkan9'}), RangeError);
  assert.throws(() => coopc.compile(minimal, {warnings: {nothing: true}}), RangeError);
  assert.throws(() => coopc.validate(new Uint8Array(7)), RangeError);
  assert.throws(() => coopc.validate('text'), TypeError);
  assert.throws(() => coopc.validate(new Uint32Array(8), {profile: '{'}), TypeError);
  const wrong = coopc.compile('#version 450\nvoid main() { int a = }\n', {name: 'wrong.comp'});
  assert.strictEqual(wrong.status, 'input-error');
  assert.match(wrong.messages, /^wrong\.comp:2:/);
  assert.strictEqual(wrong.words, undefined);
  assert.ok(wrong.diagnostics.length > 0);
  assert.strictEqual(coopc.validate(new Uint32Array([1, 2, 3])).readable, false);
  assert.match(coopc.reflect(new Uint32Array([1, 2, 3])).error.message, /at least 5 words/);
  assert.strictEqual(coopc.validate(coopc.compile(minimal).words, {profile: '{}'}).error, 'the device profile has no list `features`');
  assert.throws(() => coopc.reflect(coopc.compile(minimal).words, {profile: '{}'}), new RangeError('the device profile has no list `features`'));
  assert.strictEqual(coopc.disassemble(new Uint32Array(3)).status, 'input-error');
});

test('deep nesting, and memory that cannot be had, leave a module that works', () => {
  const deep = (n) => `#version 450\nlayout(binding = 0) buffer B { float a[]; };\nvoid main() { a[0] = ${'('.repeat(n)}1.0${')'.repeat(n)}; }\n`;
  assert.strictEqual(coopc.compile(deep(200)).ok, true);
  assert.strictEqual(coopc.compile(deep(100000)).status, 'input-error');
  const loops = `#version 450\nvoid main() { ${'for (int i = 0; i < 2; ++i) { '.repeat(200)}${'} '.repeat(200)} }`;
  assert.ok(coopc.compile(loops, {optimization: 'speed'}).ok);
  assert.throws(() => coopc.validate(new Uint32Array(1 << 28)), /coopc: /);
  assert.ok(coopc.compile(minimal).ok);
});

test('hundreds of compiles leave no memory behind', () => {
  const text = fs.readFileSync(path.join(root, 'shaders/gemm_subgroup.comp'), 'utf8');
  const run = () => {
    for (let i = 0; i < 50; ++i) {
      const {words} = coopc.compile(text, {targetEnv: 'vulkan1.4', defines: {UNUSED: i}, include: {}});
      coopc.validate(words);
      coopc.reflect(words);
    }
  };
  run();
  const before = coopc.memoryBytes;
  for (let i = 0; i < 4; ++i) run();
  assert.strictEqual(coopc.memoryBytes, before);
});

test('what the module asks of its surroundings', async () => {
  const module = await WebAssembly.compile(fs.readFileSync(path.join(process.env.COOPC_NPM_FOLDER, 'coopc.wasm')));
  const imports = WebAssembly.Module.imports(module).map(({module: from, name}) => `${from}.${name}`).sort();
  const known = fs.readFileSync(path.join(root, 'tests/npm/imports.txt'), 'utf8').trim().split('\n');
  assert.deepStrictEqual(imports.filter((name) => !known.includes(name)), []);
  const second = await load({wasm: module});
  assert.ok(second.compile(minimal).ok);
});

const GLSLANG = fs.readFileSync(path.join(process.env.COOPC_NPM_FOLDER, 'glslang.wasm'));

test('the module of coopc/glslang is small and imports nothing else', async (t) => {
  const gzipped = zlib.gzipSync(GLSLANG, {level: 9}).length;
  t.diagnostic(`${GLSLANG.length} bytes, ${gzipped} gzipped`);
  assert.ok(gzipped < 500000, `${gzipped} bytes gzipped`);
  const imports = WebAssembly.Module.imports(await WebAssembly.compile(GLSLANG)).map(({module: from, name}) => `${from}.${name}`);
  assert.deepStrictEqual(imports.filter((name) => !/^(env|wasi_snapshot_preview1)\./.test(name)), []);
});

test('compileGLSL gives what the whole library gives, in all stages', async (t) => {
  const {glslangOf} = await import(pathToFileURL(path.join(process.env.COOPC_NPM_FOLDER, 'module.mjs')));
  const glslang = glslangOf(await WebAssembly.compile(GLSLANG));
  const STAGES = {'.comp': 'compute', '.vert': 'vertex', '.frag': 'fragment', '.geom': 'geometry', '.tesc': 'tesscontrol', '.tese': 'tesseval',
    '.task': 'task', '.mesh': 'mesh', '.rgen': 'raygen', '.rint': 'intersect', '.rahit': 'anyhit', '.rchit': 'closest', '.rmiss': 'miss',
    '.rcall': 'callable'};
  const counts = {modules: 0, refused: 0, stages: new Set()};
  for (const folder of ['tests/shaders', 'shaders'])
    for (const name of fs.readdirSync(path.join(root, folder), {recursive: true})) {
      const stage = STAGES[path.extname(name)];
      if (stage === undefined) continue;
      const text = fs.readFileSync(path.join(root, folder, name), 'utf8');
      const debug = counts.modules % 2 === 1;
      const whole = coopc.compile(text, {stage, spirvVersion: '1.6', debugInfo: debug, noDebugScopes: true});
      let made, said;
      try { made = glslang.compileGLSL(text, stage, debug, '1.6'); } catch (error) { said = error.message; }
      // The large module would ask a program for other extensions, and says that it did not find one.
      const wanted = whole.messages.split('\n').filter((line) => !/glslang may know it/.test(line)).join('\n');
      if (whole.ok) assert.deepStrictEqual(made, whole.words, name);
      else assert.strictEqual(said, `GLSL compilation failed\n${wanted}`, name);
      ++counts[whole.ok ? 'modules' : 'refused'];
      counts.stages.add(stage);
    }
  t.diagnostic(`${counts.modules} modules, ${counts.refused} texts with errors`);
  assert.ok(counts.modules >= 300 && counts.refused >= 500, JSON.stringify(counts));
  assert.strictEqual(counts.stages.size, 14);
});

test('the interface of @webgpu/glslang', async () => {
  const folder = pathToFileURL(`${process.env.COOPC_NPM_FOLDER}/`);
  const node = (await import(new URL('glslang.cjs', folder))).default;
  const fetched = (await import(new URL('glslang.mjs', folder))).default;
  const text = '#version 450\nlayout(location = 0) out vec4 color;\nvoid main() { color = vec4(1.0); }\n';
  const glslang = node();
  assert.strictEqual(glslang, node());
  assert.strictEqual(fetched(), fetched());
  const words = glslang.compileGLSL(text, 'fragment', false);
  assert.ok(words instanceof Uint32Array);
  assert.deepStrictEqual(words, coopc.compile(text, {stage: 'fragment'}).words);
  for (const promised of [await glslang, await fetched()]) {
    assert.deepStrictEqual(promised.compileGLSL(text, 'fragment', false), words);
    const {data, free} = promised.compileGLSLZeroCopy(text, 'fragment', false);
    free();
    assert.deepStrictEqual(data, words);
  }
  const versions = ['1.0', '1.1', '1.2', '1.3', '1.4', '1.5', '1.6'];
  versions.forEach((version, i) => assert.strictEqual(glslang.compileGLSL(text, 'fragment', false, version)[1], 0x10000 | i << 8));
  // Debug information is plain lines, which every module for Vulkan 1.0 may have.
  const debug = coopc.disassemble(glslang.compileGLSL(text, 'fragment', true)).text;
  assert.match(debug, /OpLine /);
  assert.doesNotMatch(debug, /OpExtension|OpExtInst/);
  for (const stage of ['vertex', 'compute']) assert.ok(glslang.compileGLSL('#version 310 es\nvoid main() { }', stage, false).length > 20);
  assert.throws(() => glslang.compileGLSL('#version 450\nvoid main() { wrong; }', 'vertex', false), {message: /^GLSL compilation failed\n.*`wrong` is not declared/});
  assert.throws(() => glslang.compileGLSL(text, 'from-source', false), {message: /^shader_stage must be/});
  assert.throws(() => glslang.compileGLSL(text, 'fragment', false, '2.0'), {message: /^spirv_version must be/});
  assert.strictEqual(glslang.compileGLSL(text, 'fragment', false).length, words.length);
});
