'use strict';
// A module's interface for a program that makes a pipeline from it, from the JSON of coopc --reflect
// (docs/reflection.md): tables for a quick look, and the whole document below them.
coopc.reflection = (() => {
  const {h} = coopc;

  // A number is plain, depends on a specialization constant, or is unknown.
  const number = (n) => (n === null || n === undefined ? '?' : typeof n === 'number' ? String(n)
    : n.specId === undefined ? `${n.value} (specialized)` : `${n.value} (SpecId ${n.specId})`);
  const plain = (n) => (n === null || n === undefined ? '?' : String(typeof n === 'number' ? n : n.value));
  const bytes = (n) => (n === null ? 'not known' : n === 0 ? 'none' : typeof n === 'number' ? coopc.plural(n, 'byte') : `${number(n)} bytes`);
  const scopes = {0: 'cross device', 1: 'device', 2: 'workgroup', 3: 'subgroup', 4: 'invocation', 5: 'queue family'};
  const scopeName = (n) => scopes[plain(n)] || `scope ${number(n)}`;

  // A type in a few words. `depth` ends types that contain themselves.
  function typeText(types, index, depth = 0) {
    const t = types[index];
    if (!t || depth > 8) return '…';
    const element = () => typeText(types, t.element, depth + 1);
    switch (t.kind) {
      case 'vector': return `${element()}x${plain(t.count)}`;
      case 'matrix': return `${plain(t.count)} columns of ${element()}`;
      case 'array': return `${element()}[${plain(t.count)}]`;
      case 'runtimeArray': return `${element()}[]`;
      case 'pointer': return `→ ${element()}`;
      case 'cooperativeMatrix': return `${plain(t.rows)} x ${plain(t.columns)} ${element()}`;
      default: return t.name || t.kind;
    }
  }

  // A block's members, and the members of structures in it.
  function members(types, index, base = 0, prefix = '', depth = 0) {
    const t = types[index];
    if (!t || !t.members || depth > 8) return [];
    return t.members.flatMap((m) => {
      const offset = base + (m.offset || 0);
      const name = `${prefix}${m.name || '(no name)'}`;
      const own = [String(offset), typeText(types, m.type), name];
      return types[m.type] && types[m.type].kind === 'struct' ? members(types, m.type, offset, `${name}.`, depth + 1) : [own];
    });
  }

  const table = (label, heads, rows) => h('table', {class: 'reflected', 'aria-label': label}, h('thead', {}, h('tr', {}, ...heads.map((head) => h('th', {scope: 'col'}, head)))),
    h('tbody', {}, ...rows.map((row) => h('tr', {}, ...row.map((cell) => h('td', {}, cell))))));
  const section = (title, ...content) => [h('h4', {}, title), ...content];

  const access = (b) => (b.reads && b.writes ? 'read, written' : b.reads ? 'read' : b.writes ? 'written' : 'not used');
  // One alternative that enables something.
  const enabler = (e) => `${e.kind === 'version' ? 'Vulkan ' : ''}${e.name}${e.kind === 'feature' && e.extensions && e.extensions.length ? ` (${[...(e.version ? [`Vulkan ${e.version}`] : []), ...e.extensions].join(' or ')})` : ''}${e.when ? `, for ${e.when}` : ''}`;
  const enabled = (list) => list.filter((r) => !(r.enabledBy || []).some((e) => e.kind === 'version' && e.name === '1.0'))
    .map((r) => [r.name, (r.enabledBy || []).map(enabler).join('; or ') || 'nothing']);

  // The elements that show the reflection `r`.
  return (r) => {
    if (r.error) return [h('p', {class: 'refusal'}, r.error.message)];
    const parts = r.entryPoints.flatMap((e) => section(`${e.stage} “${e.name}”`, h('dl', {class: 'facts'},
      ...[['SPIR-V', `${r.spirv}, for Vulkan ${r.vulkan} or later`], ['workgroup', e.workgroupSize ? e.workgroupSize.map(number).join(' x ') : 'no size'], ['shared memory', bytes(e.sharedMemory)]]
        .flatMap(([name, value]) => [h('dt', {}, name), h('dd', {}, value)]))));
    if (r.bindings.length) {
      parts.push(...section('Bindings', table('Bindings', ['set, binding', 'kind', 'name', 'type', 'access'],
        r.bindings.map((b) => [`${b.set}, ${b.binding}`, b.count === 1 ? b.kind : `${b.kind} x ${plain(b.count)}`, b.name || '', typeText(r.types, b.type), access(b)]))));
    }
    for (const p of r.pushConstants) {
      parts.push(...section(`Push constants: ${coopc.plural(p.size, 'byte')}`, table('Push constants', ['offset', 'type', 'name'], members(r.types, p.type))));
    }
    if (r.specializationConstants.length) {
      parts.push(...section('Specialization constants', table('Specialization constants', ['SpecId', 'type', 'name', 'default'],
        r.specializationConstants.map((c) => [String(c.specId), typeText(r.types, c.type), c.name || '', String(c.default)]))));
    }
    if (r.multiplyAdds.length) {
      parts.push(...section('Matrix products', table('Matrix products', ['M x N x K', 'A, B, C, result', 'scope', 'instructions'],
        r.multiplyAdds.map((m) => [[m.m, m.n, m.k].map(number).join(' x '), [m.a, m.b, m.c, m.result].join(', '), scopeName(m.scope), String(m.instructions)]))));
    }
    if (r.decodeFunctions.length) {
      parts.push(...section('Decode functions', table('Decode functions', ['function', 'blocks'],
        r.decodeFunctions.map((d) => [d.name || `id ${d.function}`, d.blockSizes.map((block) => block.map(plain).join(' x ')).join(', ') || 'not known']))));
    }
    const needs = enabled([...r.capabilities, ...r.extensions]);
    if (needs.length) parts.push(...section('To enable on the device', table('To enable on the device', ['module declares', 'any of'], needs)));
    parts.push(h('details', {}, h('summary', {}, 'The whole, as coopc --reflect writes it'), h('pre', {class: 'reflection-json', tabIndex: 0, 'aria-label': 'Reflection as JSON'}, JSON.stringify(r, null, 1))));
    return parts;
  };
})();
