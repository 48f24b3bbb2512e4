// @webgpu/glslang's interface under Node, where it starts without waiting: what the function returns can be used at once, as require() of that
// package gives it, and is a promise of the same, as its types say.
'use strict';
const fs = require('fs');
const path = require('path');
const {Coopc, glslangOf} = require('./module.cjs');

let made;
module.exports = () => {
  if (made === undefined) {
    const glslang = glslangOf(new Coopc(new WebAssembly.Module(fs.readFileSync(path.join(__dirname, 'coopc.wasm')))));
    made = Object.assign(Promise.resolve(glslang), glslang);
  }
  return made;
};
module.exports.default = module.exports;
