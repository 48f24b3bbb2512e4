// coopc in JavaScript: finds the WebAssembly module and makes an instance of it (module.mjs).
import {bytesAt} from './fetched.mjs';
import {Coopc} from './module.mjs';

export async function load({wasm} = {}) {
  // A bundler replaces the URL by an address.
  let module = wasm ?? (await bytesAt(new URL('./coopc.wasm', import.meta.url)));
  if (!(module instanceof WebAssembly.Module)) module = await WebAssembly.compile(module);
  return new Coopc(module);
}
export default load;
