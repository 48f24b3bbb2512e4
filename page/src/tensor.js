'use strict';
// The tab for tensor addressing: a matrix, the memory that it is loaded from, and the work-items that hold
// it.
(() => {
  const clampModes = ['Undefined', 'Constant', 'ClampToEdge', 'Repeat', 'MirrorRepeat'];
  const clampLabels = ['undefined', 'constant', 'clamp to edge', 'repeat', 'mirror repeat'];
  const clampNames = ['undefined', 'constant', 'clamp-to-edge', 'repeat', 'mirror-repeat'];
  const glslTypes = {f16: 'float16_t', bf16: 'bfloat16_t', f32: 'float', tf32: 'float', f64: 'double', e4m3: 'floate4m3_t', e5m2: 'floate5m2_t',
    s8: 'int8_t', u8: 'uint8_t', s16: 'int16_t', u16: 'uint16_t', s32: 'int', u32: 'uint'};
  const typeBytes = {f16: 2, bf16: 2, f32: 4, tf32: 4, f64: 8, e4m3: 1, e5m2: 1, s8: 1, u8: 1, s16: 2, u16: 2, s32: 4, u32: 4};
  const list = (text) => coopc.numbers(text);
  const interleave = (a, b) => a.flatMap((n, i) => [n, b[i] ?? 0]);

  // The state as GLSL, for use in shaders.
  function glsl(v) {
    const dimensions = list(v.dim);
    const dim = dimensions.length;
    const lines = [];
    lines.push(`tensorLayoutNV<${dim}, gl_CooperativeMatrixClampMode${clampModes[v.clamp]}NV> t = createTensorLayoutNV(${dim}, gl_CooperativeMatrixClampMode${clampModes[v.clamp]}NV)`);
    if (list(v.block).length) lines.push(`t = setTensorLayoutBlockSizeNV(t, ${list(v.block).join(', ')})`);
    lines.push(`t = setTensorLayoutDimensionNV(t, ${dimensions.join(', ')})`);
    if (list(v.stride).length) lines.push(`t = setTensorLayoutStrideNV(t, ${list(v.stride).join(', ')})`);
    if (list(v.offset).length || list(v.span).length) {
      const spans = list(v.span);
      lines.push(`t = sliceTensorLayoutNV(t, ${interleave(dimensions.map((_, i) => list(v.offset)[i] ?? 0), dimensions.map((n, i) => spans[i] ?? n)).join(', ')})`);
    }
    if (v.clamp === '1' && Number(v.clampvalue)) lines.push(`t = setTensorLayoutClampValueNV(t, ${v.clampvalue})`);
    const clip = list(v.clip);
    const views = v.view !== 'none' || clip.length > 0;
    if (views) {
      const own = v.view === 'dims';
      const count = own ? list(v.vdim).length || dim : dim;
      const permutation = v.view !== 'none' && list(v.perm).length ? list(v.perm) : Array.from({length: count}, (_, i) => i);
      lines.push(`tensorViewNV<${count}, ${own}, ${permutation.join(', ')}> v = createTensorViewNV(${count}, ${own}, ${permutation.join(', ')})`);
      if (own) lines.push(`v = setTensorViewDimensionsNV(v, ${(list(v.vdim).length ? list(v.vdim) : dimensions).join(', ')})`);
      if (own && list(v.vstride).length) lines.push(`v = setTensorViewStrideNV(v, ${list(v.vstride).join(', ')})`);
      if (clip.length) lines.push(`v = setTensorViewClipNV(v, ${clip.join(', ')})`);
    }
    lines.push(`coopmat<${glslTypes[v.type]}, gl_ScopeSubgroup, ${v.rows}, ${v.columns}, gl_MatrixUse${{a: 'A', b: 'B', acc: 'Accumulator'}[v.use]}> m`);
    lines.push(`coopMat${v.access === 'store' ? 'Store' : 'Load'}TensorNV(m, data, ${Number(v.base) || 0}, t${views ? ', v' : ''})`);
    return lines.join(';\n') + ';\n';
  }

  // Converts the facts that cooplayout reports about a program to the fields' values.
  function fieldsOf(facts) {
    const numbers = (name) => coopc.numbers(facts[name] || '').join(', ');
    const [rows, columns] = coopc.numbers(facts.matrix);
    const values = {rows, columns, access: facts.matrix.endsWith('stored') ? 'store' : 'load', dim: numbers('dimensions'), stride: numbers('strides'),
      offset: numbers('offsets'), span: numbers('spans'), clamp: String(clampLabels.indexOf(facts['clamp mode'])), clampvalue: facts['clamp value'] || '0',
      block: numbers('block size'), view: 'none', perm: '', vdim: '', vstride: '', clip: ''};
    const bytes = coopc.numbers(facts.storage)[1];
    // The offset counts elements of the program's array. The array here has the matrix's components as
    // elements.
    const [offset, offsetBytes] = coopc.numbers(facts['element offset'] || '0 of 1 bytes');
    values.base = String(offset * offsetBytes / bytes);
    values.type = {1: 'u8', 2: 'f16', 4: 'f32', 8: 'f64'}[bytes] || 'f32';
    values.use = {accumulator: 'acc', A: 'a', B: 'b'}[facts.use] || 'acc';
    if (facts["view's permutation"]) {
      values.perm = numbers("view's permutation");
      values.view = 'permute';
      if (coopc.numbers(values.perm).every((n, i) => n === i) && facts.clip && !facts["view's dimensions"]) values.view = 'none';
    }
    if (facts["view's dimensions"]) {
      values.view = 'dims';
      values.vdim = numbers("view's dimensions");
      values.vstride = numbers("view's strides");
    }
    if (facts.clip) {
      const [rowOffset, rowSpan, columnOffset, columnSpan] = coopc.numbers(facts.clip);
      values.clip = [rowOffset, rowSpan, columnOffset, columnSpan].join(', ');
    }
    return values;
  }

  const fields = [
    {group: 'Matrix', key: 'rows', label: 'Rows', kind: 'number', value: '8'},
    {group: 'Matrix', key: 'columns', label: 'Columns', kind: 'number', value: '8'},
    {group: 'Matrix', key: 'type', label: 'Type', kind: 'choice', value: 'f16', choices: coopc.types},
    {group: 'Matrix', key: 'access', label: 'Access', kind: 'choice', value: 'load', choices: [['load', 'load'], ['store', 'store']]},
    {group: 'Tensor', key: 'dim', label: 'Dimensions', kind: 'text', value: '10, 12', wide: true, hint: 'One to five, the outermost first'},
    {group: 'Tensor', key: 'stride', label: 'Strides', kind: 'text', value: '', placeholder: 'packed', wide: true, hint: 'In elements, or in blocks where there is a block size'},
    {group: 'Tensor', key: 'block', label: 'Block size', kind: 'text', value: '', placeholder: 'none', wide: true},
    {group: 'Tensor', key: 'blockbytes', label: 'Bytes of a block', kind: 'number', value: '', placeholder: 'of the type', when: (v) => v.block !== ''},
    {group: 'Tensor', key: 'base', label: 'Element offset', kind: 'number', value: '0'},
    {group: 'Slice', key: 'offset', label: 'Offsets', kind: 'text', value: '-2, 6', placeholder: 'none', wide: true},
    {group: 'Slice', key: 'span', label: 'Spans', kind: 'text', value: '8, 8', placeholder: 'all', wide: true},
    {group: 'Slice', key: 'clamp', label: 'Clamp mode', kind: 'choice', value: '1', choices: clampLabels.map((label, i) => [String(i), label]), wide: true},
    {group: 'Slice', key: 'clampvalue', label: 'Clamp value', kind: 'number', value: '0', when: (v) => v.clamp === '1'},
    {group: 'View and clip', key: 'view', label: 'View', kind: 'choice', value: 'none', wide: true,
      choices: [['none', 'none'], ['permute', 'permutes the span'], ['dims', 'has its own dimensions']]},
    {group: 'View and clip', key: 'perm', label: 'Permutation', kind: 'text', value: '', placeholder: 'as they are', wide: true, when: (v) => v.view !== 'none'},
    {group: 'View and clip', key: 'vdim', label: 'Dimensions', kind: 'text', value: '', wide: true, when: (v) => v.view === 'dims'},
    {group: 'View and clip', key: 'vstride', label: 'Strides', kind: 'text', value: '', placeholder: 'packed', wide: true, when: (v) => v.view === 'dims'},
    {group: 'View and clip', key: 'clip', label: 'Clip', kind: 'text', value: '', placeholder: 'row, rows, column, columns', wide: true, hint: 'First row, number of rows, first column, number of columns'},
    {group: 'Work-items', key: 'items', label: 'Subgroup', kind: 'choice', value: '32', choices: ['4', '8', '16', '32', '64', '128', '256'].map((n) => [n, n])},
    {group: 'Work-items', key: 'use', label: 'Use', kind: 'choice', value: 'acc', choices: coopc.uses},
    {group: 'Work-items', key: 'scheme', label: 'Layout', kind: 'choice', value: 'any', choices: coopc.schemes, wide: true},
    {group: 'Picture', key: 'table', label: 'Text', kind: 'choice', value: 'index',
      choices: [['index', 'index'], ['byte', 'byte'], ['coord', 'tensor coordinate'], ['block', 'block'], ['owner', 'invocation']]},
    // The spelling of this key, here and on other tabs, is in links that people keep.
    {group: 'Picture', key: 'colour', label: 'Color', kind: 'choice', value: 'line',
      choices: [['line', 'lines of 128 bytes'], ['order', 'memory order'], ['owner', 'invocation'], ['bank', 'bank']]},
  ];

  const start = {offset: '', span: '', clamp: '0'};
  const presets = [
    ['A slice beyond two edges', {}],
    ['16 x 16 of a 128 x 64 matrix', {...start, rows: '16', columns: '16', dim: '128, 64', offset: '32, 16', span: '16, 16', colour: 'owner'}],
    ['Transposed by a view', {...start, dim: '8, 8', view: 'permute', perm: '1, 0', colour: 'order'}],
    ['Clamp to edge', {...start, dim: '5, 6', offset: '-2, -1', span: '8, 8', clamp: '2'}],
    ['Repeat', {...start, rows: '12', columns: '12', dim: '4, 5', offset: '-3, -2', span: '12, 12', clamp: '3', colour: 'order'}],
    ['Mirror repeat', {...start, rows: '12', columns: '12', dim: '4, 5', offset: '-3, -2', span: '12, 12', clamp: '4', colour: 'order'}],
    ['Clip: a part is loaded', {...start, dim: '8, 8', clip: '2, 4, 1, 6'}],
    ['A store beyond the edges', {access: 'store'}],
    ['Quantized blocks of 32', {...start, rows: '8', columns: '64', dim: '8, 64', block: '1, 32', blockbytes: '18', table: 'block'}],
    ['Space to depth by a view', {...start, rows: '8', columns: '16', dim: '8, 16', view: 'dims', vdim: '4, 2, 8, 2', vstride: '32, 16, 2, 1', perm: '0, 2, 1, 3', colour: 'order'}],
    ['128 x 256 of bytes', {...start, rows: '128', columns: '256', dim: '128, 256', type: 'u8', colour: 'owner'}],
  ];

  // The state as a command line, which is the input of the calculation.
  function words(v) {
    const dimensions = list(v.dim);
    const line = ['tensor', '--dimensions', dimensions.join(',')];
    const add = (name, numbers) => { if (numbers.length) line.push(name, numbers.join(',')); };
    add('--block-size', list(v.block));
    add('--strides', list(v.stride));
    if (list(v.offset).length) add('--offsets', dimensions.map((_, i) => list(v.offset)[i] ?? 0));
    if (list(v.span).length) add('--spans', dimensions.map((n, i) => list(v.span)[i] ?? n));
    if (v.clamp !== '0') line.push('--clamp', clampNames[v.clamp]);
    if (v.clamp === '1' && Number(v.clampvalue)) line.push('--clamp-value', v.clampvalue);
    const own = v.view === 'dims';
    if (v.view !== 'none' && list(v.perm).length) add('--view', list(v.perm));
    else if (v.view === 'permute') add('--view', dimensions.map((_, i) => i));
    if (own) add('--view-dimensions', list(v.vdim).length ? list(v.vdim) : dimensions);
    if (own) add('--view-strides', list(v.vstride));
    add('--clip', list(v.clip));
    if (Number(v.base)) line.push('--element-offset', v.base);
    if (v.access === 'store') line.push('--store');
    line.push('--rows', v.rows, '--columns', v.columns, '--type', v.type, '--use', v.use);
    if (v.block !== '' && v.blockbytes !== '') line.push('--block-bytes', v.blockbytes);
    return line;
  }

  function compute(v, view) {
    const base = words(v);
    view.glsl.textContent = glsl(v);
    const tables = {};
    for (const name of ['index', 'byte']) {
      tables[name] = coopc.layout.run([...base, '--table', name]);
      if (tables[name].error) return tables[name];
    }
    const bytes = tables.byte.cells.flat().map((text) => (/^\d/.test(text) ? Number(text) : null));
    const marksOf = tables.byte.cells.flat();
    const rows = tables.byte.cells.length;
    const columns = tables.byte.cells[0].length;
    const onItems = ['--work-items', v.items, '--scheme', v.scheme];
    const items = coopc.layout.run(['workitem', '--rows', String(rows), '--columns', String(columns), '--type', v.type, '--use', v.use, ...onItems]);
    const owners = items.error ? null : items.cells.flat();
    const shown = v.table === 'owner' ? owners || marksOf : v.table in tables ? tables[v.table].cells.flat() : coopc.layout.run([...base, '--table', v.table]).cells.flat();
    const invocation = (i) => (owners ? Number(owners[i].split('.')[0]) : -1);
    const touched = bytes.filter((byte) => byte !== null);
    const low = touched.reduce((a, b) => Math.min(a, b), Infinity);
    const high = touched.reduce((a, b) => Math.max(a, b), 0);
    const unit = Number(coopc.numbers(tables.index.facts.storage)[1]) || typeBytes[v.type];

    const numberOf = (i) => {
      if (bytes[i] === null) return null;
      if (v.colour === 'line') return Math.floor(bytes[i] / 128);
      if (v.colour === 'bank') return Math.floor(bytes[i] / 4) % 32;
      if (v.colour === 'owner') return invocation(i);
      return Math.round((bytes[i] - low) / Math.max(1, high - low) * 48);
    };
    const palette = v.colour === 'order' ? (n) => coopc.orderColor(n / 48) : coopc.categoryColor;
    const at = (i) => `(${Math.floor(i / columns)}, ${i % columns})`;
    const reached = new Map();
    bytes.forEach((byte, i) => { if (byte !== null) reached.set(byte, [...(reached.get(byte) || []), i]); });

    // Memory, in lines of 128 bytes (or of one unit, if units are longer), from the first accessed line.
    const perLine = Math.max(1, Math.floor(128 / unit));
    const lineBytes = perLine * unit;
    const firstLine = Math.floor(low / lineBytes);
    const allLines = touched.length ? Math.floor(high / lineBytes) - firstLine + 1 : 0;
    const lines = Math.min(allLines, 512);
    const memoryByte = (i) => (firstLine * lineBytes) + i * unit;
    const memory = touched.length === 0 ? null : {
      title: 'Memory', rows: lines, columns: perLine, palette,
      note: `${unit === 1 ? 'Bytes' : `Units of ${unit} bytes`} in lines of ${lineBytes}; each names the element that it is loaded to${allLines > lines ? `; ${allLines - lines} more lines are left out` : ''}.`.replace('loaded to', v.access === 'store' ? 'stored from' : 'loaded to'),
      text: (i) => { const who = reached.get(memoryByte(i)); return who ? `${Math.floor(who[0] / columns)},${who[0] % columns}${who.length > 1 ? '+' : ''}` : ''; },
      color: (i) => { const who = reached.get(memoryByte(i)); return who ? numberOf(who[0]) : null; },
      rowLabel: (r) => String((firstLine + r) * lineBytes),
      label: (i) => { const who = reached.get(memoryByte(i)); return `byte ${memoryByte(i)}${who ? `, element ${who.map(at).join(', ')}` : ', not touched'}`; },
    };

    const marksFor = (elements) => ({
      matrix: new Set(elements),
      memory: new Set(elements.filter((i) => bytes[i] !== null).map((i) => (bytes[i] - firstLine * lineBytes) / unit).filter((cell) => cell < lines * perLine)),
    });
    const elementsOf = ([kind, key, cell]) => {
      if (kind === 'cell') return key === 'matrix' ? [cell] : reached.get(memoryByte(cell)) || [];
      if (kind === 'address') return reached.get(key) || [];
      return owners ? owners.map((_, i) => i).filter((i) => invocation(i) === key) : [];
    };
    const ownerFacts = (i) => (owners ? [['held by', `invocation ${invocation(i)}, component ${owners[i].split('.')[1]}`]] : []);
    const addressFacts = (byte) => [['byte', `${byte} (0x${byte.toString(16)})`], ['line of 128', String(Math.floor(byte / 128))], ['bank', String(Math.floor(byte / 4) % 32)]];
    const selected = ([kind, n]) => {
      const elements = elementsOf([kind, n]);
      if (kind === 'address') {
        return {title: `Address ${n}`, facts: [...addressFacts(n), [v.access === 'store' ? 'written by' : 'read by', coopc.plural(elements.length, 'element')]],
          links: elements.flatMap((i) => [[`element ${at(i)}`, ['cell', 'matrix', i]], ...(owners ? [[`invocation ${invocation(i)}`, ['invocation', invocation(i)]]] : [])])};
      }
      return {title: `Invocation ${n}`, facts: [['holds', coopc.plural(elements.length, 'element')]],
        links: elements.map((i) => [`.${owners[i].split('.')[1]}  ${at(i)}`, ['cell', 'matrix', i]])};
    };
    const access = coopc.layout.run([...base, '--access', ...onItems]);
    const facts = {...tables.index.facts};
    for (const [name, value] of Object.entries(access.facts || {})) if (!(name in facts)) facts[name] = value;
    if (items.error) facts['work-items'] = items.error;
    return {
      grids: {
        matrix: {title: 'Matrix', rows, columns, palette, text: (i) => shown[i], color: numberOf,
          note: {line: 'Cells of one color lie in one line of 128 bytes.', order: 'Shades: the order in memory.', owner: 'Cells of one color belong to one invocation.', bank: 'Cells of one color lie in one bank of 4 bytes.'}[v.colour],
          label: (i) => `element ${at(i)}, ${shown[i]}`},
        memory,
      },
      facts: Object.entries(facts),
      command: base,
      marks: (selection) => marksFor(elementsOf(selection)),
      selected,
      cell: (key, i) => {
        if (key === 'memory') {
          const known = selected(['address', memoryByte(i)]);
          return reached.has(memoryByte(i)) ? known : {...known, facts: [...addressFacts(memoryByte(i)), ['', 'not touched']], links: []};
        }
        const answer = coopc.layout.run([...base, '--element', `${Math.floor(i / columns)},${i % columns}`, '--explain']);
        return {title: `Element ${at(i)}`, steps: answer.steps,
          facts: [...ownerFacts(i), ...Object.entries(answer.facts).filter(([name]) => name !== 'element' && name !== 'byte'), ...(bytes[i] === null ? [] : addressFacts(bytes[i]))],
          links: [...(owners ? [[`all of invocation ${invocation(i)}`, ['invocation', invocation(i)]]] : []),
            ...(bytes[i] === null ? [] : [[`who uses byte ${bytes[i]}`, ['address', bytes[i]]]])]};
      },
    };
  }

  // The statements or the shader from which the controls are filled in.
  function sources(view) {
    const h = coopc.h;
    const source = h('textarea', {id: 'tensor-source', rows: 8, spellcheck: false, 'aria-label': 'GLSL statements or a whole shader',
      placeholder: 'tensorLayoutNV<2> t = createTensorLayoutNV(2);\nt = setTensorLayoutDimensionNV(t, 100, 50);\n…\nor a whole shader'});
    const names = h('input', {type: 'text', id: 'tensor-names', placeholder: 'M=64 N=32', spellcheck: 'false'});
    const which = h('input', {type: 'text', id: 'tensor-which', inputmode: 'numeric', placeholder: 'first, last of statements'});
    const outcome = h('p', {class: 'import', role: 'status'});
    let asked = 0;
    const read = async () => {
      const number = ++asked;
      outcome.classList.remove('bad');
      outcome.dataset.state = 'busy';
      outcome.textContent = source.value.trim() === '' ? '' : 'Compiling…';
      if (source.value.trim() === '') { outcome.dataset.state = 'done'; view.update(); return; }
      const sets = names.value.split(/[\s,]+/).filter((part) => part !== '').flatMap((part) => ['--set', part]);
      // Loads the compiler if it is not loaded. A leading space keeps a text that starts with `-` from being
      // an option.
      const text = source.value.startsWith('-') ? ` ${source.value}` : source.value;
      const answer = await coopc.compiler.layout(['tensor', text, ...(which.value.trim() === '' ? [] : ['--load', which.value.trim()]), ...sets, '--details']);
      if (number !== asked) return;  // the input has changed: the next answer counts
      outcome.dataset.state = 'done';
      outcome.classList.toggle('bad', Boolean(answer.error));
      outcome.textContent = answer.error ? answer.error : 'Read: the fields below show it.';
      // The picture does not show this text, so the page says so above every picture.
      if (answer.error) { view.refuse(`The pasted text: ${answer.error}`); return; }
      const v = view.form.values;
      view.form.set({...v, blockbytes: '', ...fieldsOf(answer.facts)});
      view.preset.value = '';
      view.selection = null;
      view.update();
    };
    for (const input of [source, names, which]) input.addEventListener('input', read);
    const panel = h('details', {class: 'panel'}, h('summary', {}, 'From GLSL or a shader'), outcome, source,
      h('div', {class: 'fields'}, h('div', {class: 'field'}, h('label', {for: 'tensor-names'}, 'Values of names'), names),
        h('div', {class: 'field'}, h('label', {for: 'tensor-which'}, 'Load or store no.'), which)));
    view.paste = (text, number) => {
      panel.open = true;
      source.value = text;
      which.value = number;
      read();
    };
    return [panel];
  }

  function extras(view) {
    const h = coopc.h;
    view.glsl = h('pre', {});
    return [h('details', {class: 'panel'}, h('summary', {}, 'As GLSL'), view.glsl,
      h('button', {type: 'button', class: 'small', onclick: () => coopc.copy(view.glsl.textContent)}, 'Copy'))];
  }

  coopc.tabs = coopc.tabs || [];
  coopc.tabs.push({id: 'tensor', label: 'Tensor addressing', fields, presets, compute, sources, extras, grids: ['matrix', 'memory'],
    intro: 'Where in memory a load or store of a cooperative matrix finds its elements (GL_NV_cooperative_matrix2).',
    hint: 'A cell of the matrix shows the whole chain of coordinates down to its byte; a cell of memory shows the elements that reach it. Select an invocation or an address from there.'});
})();
