// coopc in JavaScript: finds the WebAssembly module and makes an instance of it (module.mjs).
import {Coopc} from './module.mjs';

// Node's fetch() cannot read files. A bundler replaces the URL by an address.
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
