// coopc in JavaScript: finds the WebAssembly module and makes an instance (module.mjs).
import {Coopc} from './module.mjs';

// Node has no fetch() of files; a bundler makes an address of the second URL.
async function bytesOfModule() {
  const place = new URL('./coopc.wasm', import.meta.url);
  if (place.protocol === 'file:' && globalThis.process?.versions?.node !== undefined) return (await import('node:fs/promises')).readFile(place);
  return (await fetch(place)).arrayBuffer();
}

export async function load({wasm} = {}) {
  let module = wasm ?? (await bytesOfModule());
  if (!(module instanceof WebAssembly.Module)) module = await WebAssembly.compile(module);
  return new Coopc(module);
}
export default load;
