'use strict';
// The tab for devices: measured maps, from shipped files or from the user's own file.
(() => {
  const names = Object.keys(coopc.texts).filter((name) => name.endsWith('.txt'));
  const fields = [
    {group: 'Measured map', key: 'file', label: 'Device', kind: 'choice', value: names[0] || '', wide: true, choices: [...names.map((name) => [name, name.replace(/\.txt$/, '')]), ['own', 'a file of your own']]},
    {group: 'Measured map', key: 'matrix', label: 'Matrix', kind: 'choice', value: '0', wide: true, choices: [['0', '0']]},
    {group: 'Picture', key: 'colour', label: 'Color', kind: 'choice', value: 'owner', choices: [['owner', 'invocation'], ['component', 'component']]},
  ];
  let own = '';
  let listed = '';

  function compute(v, view) {
    if (v.file === 'own' && own === '') return {error: 'Choose a file below: docs/cooplayout.md describes its form.'};
    const path = v.file === 'own' ? '/device.txt' : `/${v.file}`;
    if (listed !== path + own) {
      coopc.layout.write(path, v.file === 'own' ? own : coopc.texts[v.file] || '');
      listed = path + own;
      const list = coopc.layout.run(['device', path, '--list']);
      if (list.error) return list;
      const matrices = Object.entries(list.facts).filter(([name]) => /^matrix \d+$/.test(name));
      view.form.inputs.matrix.replaceChildren(...matrices.map(([name, text]) => coopc.h('option', {value: name.slice(7)}, text)));
      if (Number(v.matrix) >= matrices.length) v.matrix = '0';
      view.form.show();
    }
    const base = ['device', path, '--matrix', v.matrix];
    const answer = coopc.layout.run(base);
    if (answer.error) return answer;
    const cells = answer.cells.flat();
    const rows = answer.cells.length;
    const columns = answer.cells[0].length;
    const owners = cells.map(coopc.owners);
    const at = (i) => `(${Math.floor(i / columns)}, ${i % columns})`;
    const invocations = 1 + Math.max(...owners.flat().map(([p]) => p));
    const components = 1 + Math.max(...owners.flat().map(([, c]) => c));
    const held = new Map();
    owners.forEach((list, i) => list.forEach(([p, c]) => held.set(c * invocations + p, i)));
    const color = (p, c) => (v.colour === 'owner' ? p : c);
    const elementsOf = ([kind, key, cell]) => {
      if (kind === 'cell') return key === 'matrix' ? [cell] : held.has(cell) ? [held.get(cell)] : [];
      return kind === 'invocation' ? owners.map((_, i) => i).filter((i) => owners[i].some(([p]) => p === key)) : [];
    };
    return {
      grids: {
        matrix: {title: 'Matrix', note: 'Invocation.component of each element, as measured.', rows, columns, palette: coopc.categoryColor,
          text: (i) => cells[i], color: (i) => color(...owners[i][0]), label: (i) => `element ${at(i)}: ${cells[i]}`},
        items: {title: 'Invocations', note: 'Across: invocations. Down: the components of each.', rows: components, columns: invocations, palette: coopc.categoryColor,
          text: (i) => (held.has(i) ? `${Math.floor(held.get(i) / columns)},${held.get(i) % columns}` : ''), color: (i) => (held.has(i) ? color(i % invocations, Math.floor(i / invocations)) : null),
          label: (i) => `invocation ${i % invocations}, component ${Math.floor(i / invocations)}${held.has(i) ? `: element ${at(held.get(i))}` : ''}`},
      },
      facts: Object.entries(answer.facts),
      command: ['device', v.file === 'own' ? 'FILE' : v.file, '--matrix', v.matrix],
      selected: ([, p]) => ({title: `Invocation ${p}`, facts: [['holds', coopc.plural(elementsOf(['invocation', p]).length, 'element')]],
        links: elementsOf(['invocation', p]).map((i) => [`.${owners[i].find(([q]) => q === p)[1]}  ${at(i)}`, ['cell', 'matrix', i]])}),
      marks: (selection) => {
        const elements = elementsOf(selection);
        const wanted = selection[0] === 'invocation' ? (p) => p === selection[1] : () => true;
        return {matrix: new Set(elements), items: new Set(elements.flatMap((i) => owners[i].filter(([p]) => wanted(p)).map(([p, c]) => c * invocations + p)))};
      },
      cell: (key, i) => {
        const element = key === 'matrix' ? i : held.get(i);
        const holders = element === undefined ? [] : owners[element];
        return {title: key === 'matrix' ? `Element ${at(i)}` : `Invocation ${i % invocations}, component ${Math.floor(i / invocations)}`,
          facts: [element === undefined ? ['', 'holds nothing'] : ['element', at(element)], ...holders.map(([p, c]) => ['held by', `invocation ${p}, component ${c}`])],
          links: holders.map(([p]) => [`all of invocation ${p}`, ['invocation', p]])};
      },
    };
  }

  function extras(view) {
    const h = coopc.h;
    const chosen = h('p', {class: 'import', role: 'status'});
    const input = h('input', {type: 'file', id: 'device-file', accept: '.txt,text/plain', onchange: async () => {
      if (!input.files[0]) return;
      own = await input.files[0].text();
      chosen.textContent = input.files[0].name;
      input.value = '';  // so that the same file can be chosen again after a change
      view.form.values.file = 'own';
      view.form.values.matrix = '0';
      view.form.show();
      view.update();
    }});
    return [h('div', {class: 'panel'}, h('label', {for: 'device-file'}, 'A file that cooprun --layouts wrote'), input, chosen)];
  }

  coopc.tabs.push({id: 'devices', label: 'Devices', fields, presets: [], compute, extras, grids: ['matrix', 'items'],
    intro: 'Which invocation of a real device holds which element, as cooprun --layouts measured it.',
    hint: 'Select an invocation to see all that it holds.'});
})();
