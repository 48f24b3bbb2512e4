// Fetches a file of the package.
export async function bytesAt(place) {
  // Node's fetch() cannot read files.
  if (place.protocol === 'file:' && globalThis.process?.versions?.node !== undefined) return (await import('node:fs/promises')).readFile(place);
  return (await fetch(place)).arrayBuffer();
}
