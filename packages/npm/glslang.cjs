// @webgpu/glslang's interface under Node, where it starts synchronously. The function's result can be used at
// once, as with require() of that package, and is also a promise of the same, as the package's types say.
'use strict';
const fs = require('fs');
const path = require('path');
const {glslangOf} = require('./module.cjs');

let made;
module.exports = () => {
  if (made === undefined) {
    const glslang = glslangOf(new WebAssembly.Module(fs.readFileSync(path.join(__dirname, 'glslang.wasm'))));
    made = Object.assign(Promise.resolve(glslang), glslang);
  }
  return made;
};
module.exports.default = module.exports;
