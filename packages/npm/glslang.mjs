// @webgpu/glslang's interface where files are fetched: a function that returns a promise of the compiler,
// always the same one. Under Node: glslang.cjs.
import {bytesAt} from './fetched.mjs';
import {glslangOf} from './module.mjs';

let promised;
async function start() {
  // A bundler replaces the URL by an address.
  return glslangOf(await WebAssembly.compile(await bytesAt(new URL('./glslang.wasm', import.meta.url))));
}
export default () => (promised ??= start());
