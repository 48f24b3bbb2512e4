'use strict';
// The commands of cooplayout, compiled to WebAssembly: words in, facts, steps and tables out. No other part
// of this page computes anything about layouts.
coopc.layout = (() => {
  const kKept = 256;  // answers
  let module = null;
  let answers = new Map();

  const start = async () => { module = await createLayoutModule(); };

  const textAt = (pointer) => module.UTF8ToString(pointer);

  function call(words) {
    const text = words.join('\0');
    const size = module.lengthBytesUTF8(text);
    const pointer = module._malloc(size + 1);
    if (pointer === 0) throw new Error('out of memory');
    module.stringToUTF8(text, pointer, size + 1);
    const code = module._layout_run(pointer, size);
    module._free(pointer);
    if (code !== 0) return {error: textAt(module._layout_err()).replace(/^cooplayout: /, '').trim()};
    return JSON.parse(textAt(module._layout_out()));
  }

  // {facts, steps, title, cells} of a command line, or {error}.
  function run(words) {
    const key = words.join('\0');
    if (answers.has(key)) return answers.get(key);
    let answer;
    try {
      answer = call([...words, '--format', 'json']);
    } catch (failure) {
      // Memory is exhausted, or the module is broken: the next call uses a new instance.
      start();
      return {error: `the calculation was ended (${failure.message}); try a smaller matrix`};
    }
    if (answers.size >= kKept) answers = new Map();
    answers.set(key, answer);
    return answer;
  }

  // Stores a text as a file that commands can read.
  function write(path, text) {
    module.FS.writeFile(path, text);
    answers = new Map();
  }

  // The command line as a user would type it.
  const line = (words) => ['cooplayout', ...words.map((word) => (/^[\w.,=+-]+$/.test(word) ? word : `'${word}'`))].join(' ');

  return {start, run, write, line};
})();
