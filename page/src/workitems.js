'use strict';
// The tab for work-item layouts: how a matrix is distributed over the work-items of a subgroup, in both
// directions.
(() => {
  const fields = [
    {group: 'Matrix', key: 'rows', label: 'Rows (M)', kind: 'number', value: '16'},
    {group: 'Matrix', key: 'columns', label: 'Columns (N)', kind: 'number', value: '16'},
    {group: 'Matrix', key: 'type', label: 'Type', kind: 'choice', value: 'f16', choices: coopc.types},
    {group: 'Matrix', key: 'use', label: 'Use', kind: 'choice', value: 'acc', choices: coopc.uses},
    {group: 'Work-items', key: 'items', label: 'Work-items (S)', kind: 'number', value: '32'},
    {group: 'Work-items', key: 'scheme', label: 'Layout', kind: 'choice', value: 'any', choices: coopc.schemes, wide: true},
    {group: 'Picture', key: 'colour', label: 'Color', kind: 'choice', value: 'owner', choices: [['owner', 'work-item'], ['component', 'component'], ['row', 'row']]},
  ];
  const presets = [
    ['16 x 16 over 32', {}],
    ['4 x 15 over 16: padding', {rows: '4', columns: '15', items: '16', type: 'f32'}],
    ['32 x 8, A, newer text: packed by channels', {rows: '32', columns: '8', items: '16', use: 'a', scheme: 'tinytc-newer'}],
    ['32 x 8, A, older text: moved between work-items', {rows: '32', columns: '8', items: '16', use: 'a', scheme: 'tinytc-older'}],
    ['64 x 16, B of bytes', {rows: '64', columns: '16', items: '32', use: 'b', type: 's8'}],
    ['24 rows over 32: any M', {rows: '24', columns: '16', items: '32'}],
    ['128 x 256 over 256', {rows: '128', columns: '256', items: '256'}],
  ];

  function compute(v) {
    const base = ['workitem', '--rows', v.rows, '--columns', v.columns, '--work-items', v.items, '--type', v.type, '--use', v.use, '--scheme', v.scheme];
    const answer = coopc.layout.run(base);
    if (answer.error) return answer;
    const held = coopc.layout.run([...base, '--table', 'items']);
    if (held.error) return held;
    const cells = answer.cells.flat();
    const rows = answer.cells.length;
    const columns = answer.cells[0].length;
    const items = held.cells.flat();  // component by component
    const components = held.cells.length;
    const count = held.cells[0].length;
    const owner = cells.map((text) => text.split('.').map(Number));
    const elementAt = items.map((text) => (text === '-' ? -1 : coopc.numbers(text)[0] * columns + coopc.numbers(text)[1]));
    const at = (i) => `(${Math.floor(i / columns)}, ${i % columns})`;
    const color = (p, component, row) => ({owner: p, component, row})[v.colour];
    const elementsOf = ([kind, key, cell]) => {
      if (kind === 'cell') return key === 'matrix' ? [cell] : elementAt[cell] < 0 ? [] : [elementAt[cell]];
      return kind === 'invocation' ? owner.map((_, i) => i).filter((i) => owner[i][0] === key) : [];
    };
    const itemCell = (i) => owner[i][1] * count + owner[i][0];
    const selected = ([, p]) => ({title: `Work-item ${p}`, facts: [['holds', coopc.plural(components, 'component')]],
      links: Array.from({length: components}, (_, c) => c * count + p).map((cell) => [`.${Math.floor(cell / count)}  ${elementAt[cell] < 0 ? 'padding' : at(elementAt[cell])}`,
        elementAt[cell] < 0 ? ['cell', 'items', cell] : ['cell', 'matrix', elementAt[cell]]])});
    return {
      grids: {
        matrix: {title: 'Matrix', note: 'Work-item.component of each element.', rows, columns, palette: coopc.categoryColor, text: (i) => cells[i],
          color: (i) => color(owner[i][0], owner[i][1], Math.floor(i / columns)), label: (i) => `element ${at(i)}: work-item ${owner[i][0]}, component ${owner[i][1]}`},
        items: {title: 'Work-items', note: 'Across: work-items. Down: the components of each. The element that it holds, as row,column.', rows: components, columns: count,
          palette: coopc.categoryColor, text: (i) => items[i],
          color: (i) => (elementAt[i] < 0 ? null : color(i % count, Math.floor(i / count), Math.floor(elementAt[i] / columns))),
          label: (i) => `work-item ${i % count}, component ${Math.floor(i / count)}: ${elementAt[i] < 0 ? 'padding' : `element ${at(elementAt[i])}`}`},
      },
      facts: Object.entries(answer.facts),
      command: base,
      selected,
      marks: (selection) => {
        const elements = elementsOf(selection);
        const cellsOfItems = new Set(elements.map(itemCell));
        if (selection[0] === 'cell' && selection[1] === 'items') cellsOfItems.add(selection[2]);
        return {matrix: new Set(elements), items: cellsOfItems};
      },
      cell: (key, i) => {
        const question = key === 'matrix' ? ['--element', `${Math.floor(i / columns)},${i % columns}`] : ['--owner', `${i % count},${Math.floor(i / count)}`];
        const known = coopc.layout.run([...base, ...question, '--explain']);
        const p = key === 'matrix' ? owner[i][0] : i % count;
        const links = [[`all of work-item ${p}`, ['invocation', p]]];
        if (key === 'items' && elementAt[i] >= 0) links.push([`element ${at(elementAt[i])}`, ['cell', 'matrix', elementAt[i]]]);
        return {title: key === 'matrix' ? `Element ${at(i)}` : `Work-item ${p}, component ${Math.floor(i / count)}`,
          facts: Object.entries(known.facts), steps: known.steps, links};
      },
    };
  }

  coopc.tabs.push({id: 'workitems', label: 'Work-items', fields, presets, compute, grids: ['matrix', 'items'],
    intro: 'Which work-item of a subgroup holds which element, as which component of its vector.',
    hint: 'The matrix goes from element to work-item, the second picture back. Each shows the formula, step by step.'});
})();
