// @webgpu/glslang's interface where files are fetched: a function that promises the compiler, the same one each time. Under Node: glslang.cjs.
import {load} from './index.mjs';
import {glslangOf} from './module.mjs';

let promised;
export default () => (promised ??= load().then(glslangOf));
