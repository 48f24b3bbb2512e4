'use strict';
// The compiler and the language server, in a worker that is made from a Blob (a page that was opened as a
// file may not load one). The worker is loaded when the playground is opened or GLSL is pasted, and started
// again after it has failed.
coopc.compiler = (() => {
  const kPatience = 10000;  // milliseconds for one compile

  // The code of the worker.
  const workerMain = () => {
    let module = null;
    const run = ({id, name, text, level}) => {
      const size = module.lengthBytesUTF8(text);
      const pointer = module._malloc(size + 1);
      if (pointer === 0) throw new Error('out of memory');
      module.stringToUTF8(text, pointer, size + 1);
      const answer = module.UTF8ToString(module[name](pointer, size, level));
      module._free(pointer);
      postMessage({id, answer});
    };
    onmessage = async ({data}) => {
      try {
        module = module || await createCompilerModule();
        run(data);
      } catch (failure) {
        postMessage({id: data.id, dead: String(failure && failure.message || failure)});
      }
    };
  };

  let worker = null;
  let started = 0;
  let waiting = null;  // {id, resolve, timer}
  let next = 0;

  let loaded = null;
  const load = () => { loaded = loaded || coopc.loadScript('compiler_module.js'); return loaded; };

  function startWorker() {
    // The module's function contains its WebAssembly as text.
    const source = `'use strict'; var _scriptDir; var createCompilerModule = ${createCompilerModule.toString()};\n(${workerMain.toString()})();`;
    const url = URL.createObjectURL(new Blob([source], {type: 'text/javascript'}));
    worker = new Worker(url);
    URL.revokeObjectURL(url);
    ++started;
    worker.onmessage = ({data}) => {
      if (!waiting || data.id !== waiting.id) return;
      finish(data.dead === undefined ? JSON.parse(data.answer) : {failed: data.dead});
    };
    worker.onerror = (event) => { event.preventDefault(); if (waiting) finish({failed: event.message || 'it ended'}); };
  }

  function finish(answer) {
    clearTimeout(waiting.timer);
    const {resolve} = waiting;
    waiting = null;
    if (answer.failed) {
      worker.terminate();
      worker = null;
    }
    resolve(answer);
  }

  // The answer, or {failed} if the compiler ended; the next question then starts a new one. Questions are
  // asked one at a time, each after the one before. `text` may be a function of the worker's number, for
  // texts that depend on the worker.
  async function ask(name, text, level) {
    await load();
    while (waiting) await waiting.promise;
    if (!worker) startWorker();
    const id = ++next;
    let resolve;
    const promise = new Promise((done) => { resolve = done; });
    waiting = {id, resolve, promise, timer: setTimeout(() => finish({failed: `it took longer than ${kPatience / 1000} seconds`}), kPatience)};
    worker.postMessage({id, name, text: typeof text === 'function' ? text(started) : text, level});
    return promise;
  }

  // {ok, diagnostics, assembly, bytes, findings, accesses, reflection} of a text.
  const compile = (text, level) => ask('_compiler_run', text, level);

  // cooplayout's answer about GLSL: {facts, steps, title, cells}, or {error}.
  async function layout(words) {
    const answer = await ask('_compiler_layout', [...words, '--format', 'json'].join('\0'), 0);
    if (answer.failed) return {error: `the compiler ended (${answer.failed})`};
    return answer.error ? {error: answer.error.replace(/^cooplayout: /, '').trim()} : answer;
  }

  // The language server's answers to the messages that `textFor` makes for a worker: a list, or {failed}. The
  // server ends with the worker.
  const serve = (textFor) => ask('_coopls_handle', textFor, 0);

  return {load, compile, layout, serve, starts: () => started};
})();
