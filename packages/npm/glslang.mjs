// @webgpu/glslang's interface where files are fetched: a function that returns a promise of the compiler,
// always the same one. Under Node: glslang.cjs.
import {load} from './index.mjs';
import {glslangOf} from './module.mjs';

let promised;
export default () => (promised ??= load().then(glslangOf));
