// The functions of the WebAssembly modules in JavaScript. coopc.wasm is the C library (coopc.h, reflect.h) and
// two functions of module_api.cpp; index.d.ts describes the interface. glslang.wasm has the functions of
// glslang_api.cpp. The build makes module.cjs from this
// file, which therefore imports nothing.
//
// The module is compiled without exceptions: if memory is exhausted, or a text nests too deeply for the
// engine's stack, the instance ends. The call then throws, and the next one starts a fresh instance of the
// module, which is kept compiled.

const STATUSES = ['ok', 'input-error', 'bad-argument', 'out-of-memory', 'helper-missing', 'internal', 'cancelled', 'callback-failed'];
const STAGES = ['from-source', 'compute', 'vertex', 'fragment', 'geometry', 'tesscontrol', 'tesseval', 'task', 'mesh', 'raygen',
  'intersect', 'anyhit', 'closest', 'miss', 'callable'];
const ENVIRONMENTS = ['vulkan1.0', 'vulkan1.1', 'vulkan1.2', 'vulkan1.3', 'vulkan1.4', 'opengl4.5'];
const OPTIMIZATIONS = ['none', 'speed', 'size'];
const OUTPUTS = ['module', 'assembly', 'preprocessed', 'dependencies'];
const VERSIONS = ['1.0', '1.1', '1.2', '1.3', '1.4', '1.5', '1.6'];
// coopc_flag of coopc.h.
const FLAGS = {debugInfo: 1, suppressWarnings: 2, warningsAsErrors: 4, strict: 8, autoBindUniforms: 16, autoMapLocations: 32,
  nanClamp: 128, invertY: 256, preserveBindings: 512, hlslOffsets: 1024, autoCombinedImageSampler: 2048, noUnusedInterface: 4096,
  noDebugScopes: 8192};
const COMPILE_OPTIONS = new Set(['name', 'stage', 'targetEnv', 'spirvVersion', 'optimization', 'output', 'entryPoint', 'defines', 'limits',
  'warnings', 'include', 'generator', 'forceVersion', ...Object.keys(FLAGS)]);
const VALIDATE_OPTIONS = new Set(['name', 'profile', 'suppress', 'specialization', 'advice', 'warningsAsErrors', 'maxFindings']);
const REFLECT_OPTIONS = new Set(['profile', 'specialization']);

const encoder = new TextEncoder();
const decoder = new TextDecoder();

function numberOf(names, value, what) {
  const at = names.indexOf(value);
  if (at < 0) throw new RangeError(`${what}: ${JSON.stringify(value)} is not one of ${names.join(', ')}`);
  return at;
}

// Without this check, a misspelled option would be ignored.
function check(options, known) {
  for (const name of Object.keys(options)) if (!known.has(name)) throw new TypeError(`there is no option ${JSON.stringify(name)}`);
}

function wordsOf(module) {
  if (module instanceof Uint32Array) return module;
  if (module instanceof ArrayBuffer) module = new Uint8Array(module);
  if (!ArrayBuffer.isView(module)) throw new TypeError('a module is a Uint32Array, or bytes');
  if (module.byteLength % 4 !== 0) throw new RangeError('a module is whole words of 4 bytes');
  const words = new Uint32Array(module.byteLength / 4);
  new Uint8Array(words.buffer).set(new Uint8Array(module.buffer, module.byteOffset, module.byteLength));
  return words;
}

// One instance: its memory, and the functions that the module imports.
class Instance {
  constructor(module) {
    this.resolvers = [];  // of the nested compiles that run now
    this.error = '';
    const imports = {};
    for (const {module: from, name, kind} of WebAssembly.Module.imports(module)) {
      if (kind !== 'function') throw new Error(`the module imports ${from}.${name}, which is not a function`);
      // The module runs without an operating system. Calls about files, the environment or programs get the
      // error "no such function".
      (imports[from] ??= {})[name] = this.#given(from, name) ?? (() => (from === 'wasi_snapshot_preview1' ? 52 : -52));
    }
    this.exports = new WebAssembly.Instance(module, imports).exports;
    this.exports._initialize?.();
  }

  #given(from, name) {
    if (from === 'coopc' && name === 'include') return (...given) => this.#include(...given);
    if (name === 'emscripten_notify_memory_growth') return () => {};
    if (name === 'proc_exit' || name === 'abort') return () => { throw new Error(this.error.trim() || 'the module ended'); };
    if (name === 'fd_write') return (...given) => this.#write(...given);
    if (name === 'environ_sizes_get') return (count, size) => this.set(count, 0) || this.set(size, 0);
    if (name === 'environ_get') return () => 0;
    // The 64-bit argument in the middle is passed as one argument or as two halves.
    if (name === 'clock_time_get') return (...given) => {
      this.view().setBigUint64(given.at(-1), BigInt(Math.round(performance.now() * 1e6)), true);
      return 0;
    };
    return undefined;
  }

  view() { return new DataView(this.exports.memory.buffer); }
  bytes(at, size) { return new Uint8Array(this.exports.memory.buffer, at, size); }
  get(at) { return this.view().getUint32(at, true); }
  set(at, value) { this.view().setUint32(at, value, true); return 0; }

  // Keeps the message that the run-time library writes before it ends the module.
  #write(file, vectors, count, written) {
    let size = 0;
    for (let i = 0; i < count; ++i) {
      const length = this.get(vectors + 8 * i + 4);
      this.error = (this.error + decoder.decode(this.bytes(this.get(vectors + 8 * i), length))).slice(-1000);
      size += length;
    }
    return this.set(written, size);
  }

  allocate(size) {
    const at = this.exports.malloc(size);
    if (at === 0) throw new Error('the module has no memory left');
    return at;
  }

  // Copies bytes into memory of the call, which is freed when the call returns. A NUL follows the bytes.
  bytesIn(scope, bytes) {
    const at = this.allocate(bytes.length + 1);
    scope.push(at);
    this.bytes(at, bytes.length).set(bytes);
    this.bytes(at + bytes.length, 1)[0] = 0;
    return at;
  }
  textIn(scope, text) {
    const bytes = encoder.encode(text);
    return [this.bytesIn(scope, bytes), bytes.length];
  }
  room(scope, size) {
    const at = this.allocate(size);
    scope.push(at);
    this.bytes(at, size).fill(0);
    return at;
  }

  text(at, length) {
    if (at === 0) return '';
    if (length === undefined) {
      const all = new Uint8Array(this.exports.memory.buffer);
      length = all.indexOf(0, at) - at;
    }
    return decoder.decode(this.bytes(at, length));
  }
  // The bytes that a function of coopc.h returns with their length.
  sized(scope, name, handle) {
    const length = this.room(scope, 4);
    const at = this.exports[name](handle, length);
    return [at, this.get(length)];
  }

  #include(name, nameLength, angled, from, fromLength, depth, out) {
    const {resolve, failures} = this.resolvers.at(-1);
    let found;
    try {
      found = resolve(this.text(name, nameLength), {from: this.text(from, fromLength), angled: angled !== 0, depth});
      if (found === undefined || found === null) return 0;
      if (typeof found === 'string') found = {name: this.text(name, nameLength), text: found};
      if (typeof found.name !== 'string' || typeof found.text !== 'string') throw new TypeError('include gives a text, {name, text}, or nothing');
    } catch (error) {
      failures.push(error);  // thrown after the compile returns, because an exception cannot pass through the module
      return 0;
    }
    const keep = [];
    const parts = [this.textIn(keep, found.name), this.textIn(keep, found.text)];
    parts.forEach(([at, length], i) => { this.set(out + 8 * i, at); this.set(out + 8 * i + 4, length); });
    return 1;
  }
}

// Calls into an instance of a module, which is made when it is needed.
class Calls {
  #module;
  instance;

  constructor(module) { this.#module = module; }

  // Calls `body(instance, scope)`. Afterwards the memory that `scope` lists is freed.
  call(body) {
    const instance = (this.instance ??= new Instance(this.#module));
    const scope = [];
    try {
      const result = body(instance, scope);
      for (const at of scope) instance.exports.free(at);
      return result;
    } catch (error) {
      // Wrong arguments leave the instance intact; a trap, or the end of the module, does not.
      if (error instanceof TypeError || error instanceof RangeError && !/call stack/.test(error.message)) {
        for (const at of scope) instance.exports.free(at);
        throw error;
      }
      this.instance = undefined;
      throw new Error(`coopc: ${instance.error.trim() || error.message}`, {cause: error});
    }
  }
}

export class Coopc {
  #calls;

  constructor(module) { this.#calls = new Calls(module); }

  #call(body) { return this.#calls.call(body); }

  get memoryBytes() { return this.#calls.instance?.exports.memory.buffer.byteLength ?? 0; }
  get version() { return this.#call((m) => m.text(m.exports.coopc_version())); }

  compile(source, options = {}) {
    check(options, COMPILE_OPTIONS);
    const failures = [];
    const result = this.#call((m, scope) => {
      const handle = this.#options(m, scope, options, failures);
      const before = m.resolvers.length;
      m.resolvers.push({resolve: resolverOf(options.include), failures});
      const [text, length] = m.textIn(scope, source);
      const [name] = m.textIn(scope, options.name ?? 'shader');
      const result = m.exports.coopc_compile(text, length, name, handle);
      m.resolvers.length = before;
      m.exports.coopc_options_destroy(handle);
      return this.#result(m, scope, result);
    });
    if (failures.length !== 0) throw failures[0];
    return result;
  }

  disassemble(module) {
    const words = wordsOf(module);
    return this.#call((m, scope) => {
      const at = m.bytesIn(scope, new Uint8Array(words.buffer, words.byteOffset, words.byteLength));
      return this.#result(m, scope, m.exports.coopc_disassemble(at, words.length));
    });
  }

  validate(module, options = {}) {
    check(options, VALIDATE_OPTIONS);
    const words = wordsOf(module);
    return this.#call((m, scope) => {
      const at = m.bytesIn(scope, new Uint8Array(words.buffer, words.byteOffset, words.byteLength));
      const [name] = m.textIn(scope, options.name ?? 'module');
      const [profile, profileLength] = m.textIn(scope, this.#profile(m, options.profile));
      const suppressed = (options.suppress ?? []).map((rule) => `${rule},`).join('');
      const values = Object.entries(options.specialization ?? {});
      const list = m.room(scope, 16 * values.length);
      values.forEach(([id, value], i) => {
        m.view().setBigUint64(list + 16 * i, BigInt(id), true);
        m.view().setBigUint64(list + 16 * i + 8, bitsOf(value), true);
      });
      const json = m.exports.npm_validate(at, words.length, name, profile, profileLength, m.textIn(scope, suppressed)[0], list,
        values.length, options.advice === false ? 0 : 1, options.warningsAsErrors ? 1 : 0, options.maxFindings ?? 1000);
      if (json === 0) throw new Error('the module has no memory left');
      scope.push(json);
      const [checked] = JSON.parse(m.text(json)).files;
      const wrong = checked.error !== undefined || checked.findings.some((finding) => finding.severity === 'error');
      return {ok: checked.readable && !wrong, ...checked};
    });
  }

  reflect(module, options = {}) {
    check(options, REFLECT_OPTIONS);
    const words = wordsOf(module);
    return this.#call((m, scope) => {
      const at = m.bytesIn(scope, new Uint8Array(words.buffer, words.byteOffset, words.byteLength));
      const values = Object.entries(options.specialization ?? {});
      const list = m.room(scope, 16 * values.length);
      values.forEach(([id, value], i) => {
        m.set(list + 16 * i, Number(id));
        m.view().setBigUint64(list + 16 * i + 8, bitsOf(value), true);
      });
      const [profile, length] = options.profile === undefined ? [0, 0] : m.textIn(scope, this.#profile(m, options.profile));
      const handle = m.exports.coopc_reflect(at, words.length, list, values.length, profile, length);
      if (handle === 0) throw new Error('the module has no memory left');
      const status = STATUSES[m.exports.coopc_reflection_status(handle)];
      const said = m.text(m.exports.coopc_reflection_error(handle));
      const json = m.text(...m.sized(scope, 'coopc_reflection_json', handle));
      m.exports.coopc_reflection_destroy(handle);
      if (status === 'bad-argument') throw new RangeError(said);
      return JSON.parse(json);
    });
  }

  shippedProfile(name) {
    return this.#call((m, scope) => {
      const [at, length] = this.#shipped(m, scope, name);
      return at === 0 ? undefined : m.text(at, length);
    });
  }

  #shipped(m, scope, name) {
    const length = m.room(scope, 4);
    const at = m.exports.coopc_shipped_profile(m.textIn(scope, name)[0], length);
    return [at, m.get(length)];
  }

  // A device profile: the name of a shipped one, or the text of one.
  #profile(m, profile) {
    if (profile === undefined || profile === '') return '';
    if (typeof profile === 'object') return JSON.stringify(profile);
    const scope = [];
    const [at, length] = this.#shipped(m, scope, profile);
    const text = at === 0 ? profile : m.text(at, length);
    for (const used of scope) m.exports.free(used);
    if (at === 0) {
      // The library would report the position by an exception of its JSON reader, which this module cannot
      // catch.
      try { JSON.parse(text); } catch (error) { throw new TypeError(`profile: no name of one that ships, and not JSON: ${error.message}`); }
    }
    return text;
  }

  #options(m, scope, options, failures) {
    const c = m.exports;
    const handle = c.coopc_options_create();
    const text = (value) => m.textIn(scope, String(value))[0];
    const set = (what, done) => { if (!done) throw new RangeError(`${what} is refused`); };
    try {
      if (options.stage !== undefined) set('stage', c.coopc_options_set_stage(handle, numberOf(STAGES, options.stage, 'stage')));
      if (options.targetEnv !== undefined)
        set('targetEnv', c.coopc_options_set_target_env(handle, numberOf(ENVIRONMENTS, options.targetEnv, 'targetEnv')));
      if (options.spirvVersion !== undefined)
        set('spirvVersion', c.coopc_options_set_spirv_version(handle, 0x10000 | numberOf(VERSIONS, options.spirvVersion, 'spirvVersion') << 8));
      set('optimization', c.coopc_options_set_optimization(handle, numberOf(OPTIMIZATIONS, options.optimization ?? 'none', 'optimization')));
      set('output', c.coopc_options_set_output(handle, numberOf(OUTPUTS, options.output ?? 'module', 'output')));
      let flags = 0;
      for (const [name, bit] of Object.entries(FLAGS)) if (options[name]) flags |= bit;
      set('flags', c.coopc_options_set_flags(handle, flags));
      if (options.generator !== undefined) set('generator', c.coopc_options_set_generator(handle, options.generator));
      if (options.entryPoint !== undefined) set('entryPoint', c.coopc_options_set_entry_point(handle, text(options.entryPoint)));
      if (options.forceVersion !== undefined)
        set('forceVersion', c.coopc_options_force_version(handle, options.forceVersion.version, options.forceVersion.es ? 1 : 0));
      for (const [name, value] of Object.entries(options.defines ?? {})) {
        if (value === false || value === null) set(`define ${name}`, c.coopc_options_undefine(handle, text(name)));
        else set(`define ${name}`, c.coopc_options_define(handle, text(name), value === true ? 0 : text(value)));
      }
      for (const [name, value] of Object.entries(options.limits ?? {})) set(`limit ${name}`, c.coopc_options_set_limit(handle, text(name), value));
      for (const [id, on] of Object.entries(options.warnings ?? {})) set(`warning ${id}`, c.coopc_options_set_warning(handle, text(id), on ? 1 : 0));
      if (options.include !== undefined) set('include', c.npm_set_include(handle));
      return handle;
    } catch (error) {
      c.coopc_options_destroy(handle);
      throw error;
    }
  }

  #result(m, scope, result) {
    const c = m.exports;
    const [at, count] = m.sized(scope, 'coopc_result_words', result);
    const list = (name) => Array.from({length: c[`coopc_result_${name}_count`](result)}, (_, i) => m.text(c[`coopc_result_${name}`](result, i)));
    const json = m.text(...m.sized(scope, 'coopc_result_json', result));
    const made = {
      status: STATUSES[c.coopc_result_status(result)] ?? 'internal',
      ok: c.coopc_result_ok(result) !== 0,
      words: at === 0 ? undefined : new Uint32Array(c.memory.buffer, at, count).slice(),
      text: m.text(...m.sized(scope, 'coopc_result_text', result)),
      messages: m.text(...m.sized(scope, 'coopc_result_messages', result)),
      diagnostics: json === '' ? [] : JSON.parse(json),
      dependencies: list('dependency'),
    };
    c.coopc_result_destroy(result);
    return made;
  }
}

function bitsOf(value) {
  if (typeof value === 'boolean') return value ? 1n : 0n;
  return BigInt.asUintN(64, BigInt(value));
}

function resolverOf(include) {
  if (include === undefined || typeof include === 'function') return include;
  if (include instanceof Map) return (name) => include.get(name);
  return (name) => (Object.hasOwn(include, name) ? include[name] : undefined);
}

// The interface of @webgpu/glslang (glslang.d.ts), with the module of glslang_api.cpp. Texts are for Vulkan
// 1.0, whatever the version of SPIR-V.
export function glslangOf(module) {
  const calls = new Calls(module);
  function compileGLSL(glsl, stage, debug, version = '1.0') {
    const number = STAGES.indexOf(stage) - 1;  // without 'from-source'
    if (number < 0) throw new Error("shader_stage must be 'vertex', 'fragment', or 'compute'.");
    const minor = VERSIONS.indexOf(version);
    if (minor < 0) throw new Error("spirv_version must be '1.0' ~ '1.6'.");
    return calls.call((m, scope) => {
      const c = m.exports;
      const [text, length] = m.textIn(scope, glsl);
      if (c.glslang_compile(text, length, number, minor, debug ? 1 : 0) === 0)
        return {messages: m.text(c.glslang_messages(), c.glslang_messages_length())};
      return {words: new Uint32Array(c.memory.buffer, c.glslang_words(), c.glslang_word_count()).slice()};
    });
  }
  function compileOrThrow(...given) {
    const {words, messages} = compileGLSL(...given);
    if (words === undefined) throw new Error(`GLSL compilation failed\n${messages}`);
    return words;
  }
  // Returns a copy, because the data must not change when the module's memory grows.
  const compileGLSLZeroCopy = (...given) => ({data: compileOrThrow(...given), free() {}});
  return {compileGLSL: compileOrThrow, compileGLSLZeroCopy};
}
