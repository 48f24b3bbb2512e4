// Chooses the server that the extension starts.
'use strict';
const fs = require('fs');
const path = require('path');

// The programs that may serve, best first. If the setting names a program, it is the only one. Otherwise: the
// bundled program for this system, the WebAssembly module in the editor's Node, and the program in PATH. Each
// is `{program}` or `{script}`.
exports.candidates = (given, folder, {platform, arch} = process, exists = fs.existsSync) => {
  if (given) return [{program: given}];
  const name = platform === 'win32' ? 'coopls.exe' : 'coopls';
  const own = path.join(folder, 'server', `${platform}-${arch}`, name);
  const script = path.join(folder, 'server', 'wasm', 'coopls.js');
  return [...(exists(own) ? [{program: own, own: true}] : []), ...(exists(script) ? [{script}] : []), {program: name}];
};
