// The language server as WebAssembly, over the standard streams of a Node process, like the program coopls.
// The module, a file in this folder, reads the system's files itself.
'use strict';
const createServerModule = require('./coopls_module.js');

createServerModule().then(module => {
  let input = Buffer.alloc(0);
  let waiting = [];
  let shutDown = false;
  const end = () => {
    process.exitCode = shutDown ? 0 : 1;
    process.stdin.destroy();
  };

  // Reads a message: header lines, an empty line, and as many bytes as Content-Length says. No value while a
  // part is missing.
  function next() {
    const header = input.indexOf('\r\n\r\n');
    if (header < 0) return undefined;
    const length = /^content-length: *(\d+) *$/im.exec(input.toString('latin1', 0, header));
    if (!length) throw new Error('a message without Content-Length');
    const begin = header + 4;
    const end = begin + Number(length[1]);
    if (input.length < end) return undefined;
    const body = input.toString('utf8', begin, end);
    input = input.subarray(end);
    return body;
  }

  function handle() {
    const bytes = Buffer.from(waiting.join('\0'), 'utf8');
    waiting = [];
    const at = module._malloc(bytes.length + 1);
    if (at === 0) throw new Error('the module has no memory left');
    module.HEAPU8.set(bytes, at);
    const answers = module.UTF8ToString(module._coopls_handle(at, bytes.length));
    module._free(at);
    for (const answer of JSON.parse(answers)) {
      const body = Buffer.from(JSON.stringify(answer), 'utf8');
      process.stdout.write(`Content-Length: ${body.length}\r\n\r\n`);
      process.stdout.write(body);
    }
  }

  process.stdin.on('data', chunk => {
    input = Buffer.concat([input, chunk]);
    let leaves = false;
    for (let body = next(); body !== undefined && !leaves; body = next()) {
      const method = /"method"\s*:\s*"(shutdown|exit)"/.exec(body);
      const said = method && JSON.parse(body).method;
      if (said === 'shutdown') shutDown = true;
      if (said === 'exit') leaves = true;
      else waiting.push(body);
    }
    // Handles all messages that have arrived at once, so that the server sees cancellations, and compiles a
    // burst of changes once.
    if (waiting.length > 0) handle();
    if (leaves) end();
  });
  process.stdin.on('end', end);
}).catch(failure => {
  process.stderr.write(`coopls: ${failure.stack || failure}\n`);
  process.exit(1);
});
process.on('uncaughtException', failure => {
  process.stderr.write(`coopls: ${failure.stack || failure}\n`);
  process.exit(1);
});
