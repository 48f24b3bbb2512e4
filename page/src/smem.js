'use strict';
// The tab for shared memory: a matrix in CuTe's notation or of the canonical family, with and without its
// swizzle, and the 32 banks.
(() => {
  const fields = [
    {group: 'Layout', key: 'from', label: 'From', kind: 'choice', value: 'canonical', wide: true, choices: [['canonical', 'the canonical layouts (PTX)'], ['notation', "CuTe's notation"]]},
    {group: 'Layout', key: 'layout', label: 'Layout', kind: 'long', value: 'Swizzle<3,4,3> o ((8,2),(8,2)):((64,512),(1,8))', when: (v) => v.from === 'notation'},
    {group: 'Layout', key: 'major', label: 'Major', kind: 'choice', value: 'k', choices: [['k', 'K'], ['mn', 'MN']], when: (v) => v.from === 'canonical'},
    {group: 'Layout', key: 'swizzle', label: 'Swizzle', kind: 'choice', value: '128', choices: [['0', 'none'], ['32', '32 bytes'], ['64', '64 bytes'], ['128', '128 bytes']], when: (v) => v.from === 'canonical'},
    {group: 'Layout', key: 'm', label: 'm', kind: 'number', value: '1', hint: 'Repeating patterns across rows', when: (v) => v.from === 'canonical'},
    {group: 'Layout', key: 'k', label: 'k', kind: 'number', value: '4', hint: 'Repeating patterns across columns', when: (v) => v.from === 'canonical'},
    {group: 'Layout', key: 'lbo', label: 'LBO, bytes', kind: 'number', value: '', placeholder: 'packed', hint: 'Leading dimension byte offset', when: (v) => v.from === 'canonical'},
    {group: 'Layout', key: 'sbo', label: 'SBO, bytes', kind: 'number', value: '', placeholder: 'packed', hint: 'Stride dimension byte offset', when: (v) => v.from === 'canonical'},
    {group: 'Layout', key: 'type', label: 'Type', kind: 'choice', value: 'bf16', choices: coopc.types},
    {group: 'Algebra', key: 'operation', label: 'Operation', kind: 'choice', value: '', wide: true,
      choices: [['', 'none'], ['compose', 'compose with'], ['divide', 'divide into tiles'], ['product', 'repeat by'], ['complement', 'complement to size'], ['inverse', 'inverse'], ['coalesce', 'coalesce']]},
    {group: 'Algebra', key: 'operand', label: 'Operand', kind: 'long', value: '', placeholder: '(4,2):(1,8)', when: (v) => ['compose', 'divide', 'product', 'complement'].includes(v.operation)},
    {group: 'Access', key: 'access', label: 'Bytes at once', kind: 'choice', value: '16', choices: [['4', '4'], ['8', '8'], ['16', '16']]},
    {group: 'Access', key: 'along', label: 'Work-items go', kind: 'choice', value: 'column', choices: [['column', 'down columns'], ['row', 'along rows']]},
    {group: 'Picture', key: 'table', label: 'Text', kind: 'choice', value: 'byte', choices: [['byte', 'byte'], ['index', 'index'], ['bank', 'bank'], ['reader', 'who reads']]},
    {group: 'Picture', key: 'colour', label: 'Color', kind: 'choice', value: 'chunk', choices: [['chunk', '16-byte groups'], ['reader', 'who reads'], ['row', 'row'], ['bank', 'bank']]},
  ];
  const presets = [
    ['K-major, 128-byte swizzle', {}],
    ['K-major, 64-byte swizzle', {swizzle: '64', k: '2'}],
    ['K-major, no swizzle', {swizzle: '0', k: '2', m: '2'}],
    ['MN-major, 128-byte swizzle', {major: 'mn', k: '2'}],
    ['Who reads: conflicts and none', {colour: 'reader', table: 'reader'}],
    ['A 32 x 32 tile of f32, unswizzled', {from: 'notation', layout: '(32,32):(32,1)', type: 'f32', access: '4', colour: 'bank', table: 'bank'}],
    ['The misprinted example', {from: 'notation', layout: 'Swizzle<1,4,3> o ((8,2),(4,4)):((8,64),(1,4))', type: 'tf32'}],
    ['Divide into tiles', {from: 'notation', layout: '(16,16):(16,1)', type: 'f32', operation: 'divide', operand: '(4,4):(1,16)', table: 'index'}],
  ];

  function words(v) {
    const line = v.from === 'notation' ? ['smem', v.layout] : ['smem', '--canonical', `${v.major},${v.swizzle}`, '--m', v.m, '--k', v.k];
    if (v.from === 'canonical') for (const key of ['lbo', 'sbo']) if (v[key] !== '') line.push(`--${key}`, v[key]);
    line.push('--type', v.type);
    if (['inverse', 'coalesce'].includes(v.operation)) line.push(`--${v.operation}`);
    else if (v.operation !== '' && v.operand !== '') line.push(`--${v.operation}`, v.operand);
    return line;
  }

  // One of the two pictures, with the banks below it.
  function side(v, base, swizzled) {
    const line = swizzled ? base : [...base, '--no-swizzle'];
    const access = ['--access', v.access];
    const answer = coopc.layout.run([...line, ...access, '--table', 'byte']);
    if (answer.error) return answer;
    const rows = answer.cells.length;
    const columns = answer.cells[0].length;
    const bits = coopc.numbers(answer.facts.elements)[2];
    const bytes = answer.cells.flat().map(Number);
    const readers = coopc.layout.run([...line, ...access, '--table', 'reader', '--along', v.along]).cells.flat();
    const shown = v.table === 'byte' ? answer.cells.flat() : v.table === 'reader' ? readers : coopc.layout.run([...line, '--table', v.table]).cells.flat();
    const numberOf = (i) => {
      if (v.colour === 'reader') return readers[i] === '.' ? null : Number(readers[i]);
      if (v.colour === 'row') return Math.floor(i / columns);
      return v.colour === 'bank' ? Math.floor(bytes[i] / 4) % 32 : Math.floor(bytes[i] / 16) % 8;
    };
    const words4 = new Map();  // elements of each word of 4 bytes
    bytes.forEach((byte, i) => {
      for (let word = Math.floor(byte / 4); word * 4 < byte + bits / 8; ++word) words4.set(word, [...(words4.get(word) || []), i]);
    });
    const lines = Math.min(256, Math.floor(Math.max(...words4.keys()) / 32) + 1);
    return {answer, rows, columns, bits, bytes, readers, shown, numberOf, words4, lines, line, groupOf: (i) => Math.floor(bytes[i] / 16) % 8};
  }

  function compute(v) {
    const base = words(v);
    const sides = {after: side(v, base, true)};
    if (sides.after.error) return sides.after;
    const facts = sides.after.answer.facts;
    const swizzles = 'without the swizzle, down a column' in facts;
    if (swizzles) sides.before = side(v, base, false);
    const {rows, columns} = sides.after;
    const at = (i) => `(${Math.floor(i / columns)}, ${i % columns})`;
    const conflicts = (swizzled) => facts[v.along === 'column' ? (swizzled ? `accesses of ${v.access} bytes down a column` : 'without the swizzle, down a column')
      : (swizzled ? 'along a row' : 'without the swizzle, along a row')];

    const grids = {before: null, after: null, banksBefore: null, banksAfter: null};
    for (const [key, s] of Object.entries(sides)) {
      const swizzled = key === 'after';
      grids[key] = {title: !swizzles ? 'Matrix' : swizzled ? 'Matrix, with the swizzle' : 'Matrix, without the swizzle',
        note: {chunk: 'Colors: the eight groups of 16 bytes in 128.', reader: 'Colors: work-items; gray is not read.', row: 'Colors: rows.', bank: 'Colors: banks.'}[v.colour],
        rows, columns, palette: coopc.categoryColor, text: (i) => s.shown[i], color: s.numberOf, label: (i) => `element ${at(i)}, byte ${s.bytes[i]}`};
      grids[swizzled ? 'banksAfter' : 'banksBefore'] = {title: !swizzles ? 'Banks' : swizzled ? 'Banks, with the swizzle' : 'Banks, without the swizzle', note: `32 banks of 4 bytes. Reading as chosen: ${conflicts(swizzled)}.`,
        rows: s.lines, columns: 32, palette: coopc.categoryColor, rowLabel: (r) => String(r * 128),
        text: (i) => { const who = s.words4.get(i); return who ? (v.table === 'reader' ? s.readers[who[0]] : `${Math.floor(who[0] / columns)},${who[0] % columns}`) : ''; },
        // A group of 16 bytes keeps the color that it has without the swizzle, which shows where the swizzle
        // puts it.
        color: (i) => { const who = s.words4.get(i); return !who ? null : v.colour === 'chunk' ? (sides.before || s).groupOf(who[0]) : s.numberOf(who[0]); },
        label: (i) => `bank ${i % 32}, byte ${i * 4}${s.words4.has(i) ? `, element ${s.words4.get(i).map(at).join(', ')}` : ', unused'}`};
    }
    const sideOf = (key) => sides[key.toLowerCase().includes('before') ? 'before' : 'after'];
    const isBank = (key) => key.startsWith('banks');
    const elementsOf = ([kind, key, cell]) => {
      if (kind === 'cell') return isBank(key) ? sideOf(key).words4.get(cell) || [] : [cell];
      if (kind === 'address') return sides.after.words4.get(Math.floor(key / 4)) || [];
      return sides.after.readers.map((_, i) => i).filter((i) => sides.after.readers[i] === String(key));
    };
    const byteFacts = (byte) => [['byte', `${byte} (0x${byte.toString(16)})`], ['bank', String(Math.floor(byte / 4) % 32)], ['group of 16 in 128', String(Math.floor(byte / 16) % 8)]];
    const selected = ([kind, n]) => {
      const elements = elementsOf([kind, n]);
      const readers = [...new Set(elements.map((i) => sides.after.readers[i]).filter((reader) => reader !== '.'))];
      if (kind === 'address') {
        return {title: `Address ${n}`, facts: [...byteFacts(n), ['read by', readers.length ? `work-item ${readers.join(', ')}` : 'no work-item']],
          links: [...readers.map((p) => [`work-item ${p}`, ['invocation', Number(p)]]), ...elements.map((i) => [`element ${at(i)}`, ['cell', 'after', i]])]};
      }
      return {title: `Work-item ${n}`, facts: [['reads', `${v.access} bytes: ${coopc.plural(elements.length, 'element')}`],
        ['banks', [...new Set(elements.map((i) => Math.floor(sides.after.bytes[i] / 4) % 32))].sort((a, b) => a - b).join(', ')]],
        links: elements.map((i) => [`element ${at(i)}`, ['cell', 'after', i]])};
    };
    return {
      grids,
      facts: Object.entries(facts),
      command: [...base, '--access', v.access],
      selected,
      marks: (selection) => {
        const elements = elementsOf(selection);
        const marks = {};
        for (const [key, s] of Object.entries(sides)) {
          marks[key] = new Set(elements);
          marks[key === 'after' ? 'banksAfter' : 'banksBefore'] = new Set(elements.flatMap((i) => {
            const cells = [];
            for (let word = Math.floor(s.bytes[i] / 4); word * 4 < s.bytes[i] + s.bits / 8; ++word) if (word < s.lines * 32) cells.push(word);
            return cells;
          }));
        }
        return marks;
      },
      cell: (key, i) => {
        const s = sideOf(key);
        if (isBank(key)) {
          const who = s.words4.get(i) || [];
          const readers = [...new Set(who.map((e) => s.readers[e]).filter((reader) => reader !== '.'))];
          return {title: `Bank ${i % 32}, byte ${i * 4}`, facts: [...byteFacts(i * 4), ['holds', who.length ? who.map(at).join(' ') : 'nothing'], ['read by', readers.length ? `work-item ${readers.join(', ')}` : 'no work-item']],
            links: [...readers.map((p) => [`all of work-item ${p}`, ['invocation', Number(p)]]), ...who.map((e) => [`element ${at(e)}`, ['cell', key === 'banksBefore' ? 'before' : 'after', e]])]};
        }
        const known = coopc.layout.run([...s.line, '--element', `${Math.floor(i / columns)},${i % columns}`, '--explain']);
        const links = [[`who reads byte ${sides.after.bytes[i]}`, ['address', sides.after.bytes[i]]]];
        if (s.readers[i] !== '.') links.unshift([`all of work-item ${s.readers[i]}`, ['invocation', Number(s.readers[i])]]);
        return {title: `Element ${at(i)}`, facts: [...Object.entries(known.facts).filter(([name]) => name !== 'element'), ['read by', s.readers[i] === '.' ? 'no work-item' : `work-item ${s.readers[i]}`]],
          steps: known.steps, links};
      },
    };
  }

  // Reads a 64-bit descriptor.
  function extras() {
    const h = coopc.h;
    const bits = h('input', {type: 'text', id: 'descriptor-bits', spellcheck: 'false', placeholder: '0x4000004000010000'});
    const instruction = h('input', {type: 'text', id: 'descriptor-instruction', spellcheck: 'false', placeholder: '0'});
    const outcome = h('div', {role: 'status'});
    const read = () => {
      if (bits.value.trim() === '') { outcome.replaceChildren(); return; }
      const answer = coopc.layout.run(['smem', '--descriptor', bits.value.trim(), '--instruction', instruction.value.trim() || '0']);
      outcome.replaceChildren(answer.error ? h('p', {class: 'import bad'}, answer.error)
        : h('dl', {class: 'facts'}, ...Object.entries(answer.facts).flatMap(([name, value]) => [h('dt', {}, name), h('dd', {}, value)])));
    };
    for (const input of [bits, instruction]) input.addEventListener('input', read);
    return [h('details', {class: 'panel'}, h('summary', {}, 'Decode a descriptor'),
      h('div', {class: 'fields'}, h('div', {class: 'field wide'}, h('label', {for: 'descriptor-bits'}, '64 bits'), bits),
        h('div', {class: 'field wide'}, h('label', {for: 'descriptor-instruction'}, 'Instruction descriptor'), instruction)), outcome)];
  }

  coopc.tabs.push({id: 'smem', label: 'Shared memory', fields, presets, compute, extras, grids: ['before', 'after', 'banksBefore', 'banksAfter'],
    intro: 'Where a matrix lies in shared memory, and what its swizzle does to the banks.',
    hint: 'A cell shows its address step by step; a word of a bank shows who reads it. Both sides mark the same elements.'});
})();
