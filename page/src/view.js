'use strict';
// A tab of layouts: controls, pictures that belong together, and the facts about the cell at the cursor.
//
// A tab has {id, label, intro, fields, presets: [[name, values]], grids: [key], sources(view), extras(view),
// compute(values)}: sources are shown above the controls, extras below. compute() returns {error}, or what is
// shown:
//   grids       for each key the data of a coopc.Grid, or null
//   facts       [[name, value]]
//   command     words of the equivalent command line
//   cell(key, i)        what is known about a cell: {title, facts, steps, links: [[text, selection]]}
//   selected(selection) the same about an invocation or an address, with `links` to all that belongs to it
//   marks(selection)    for each key a Set of cells
// A selection is ['cell', key, i], ['invocation', p] or ['address', byte].
coopc.View = class {
  constructor(tab, changed) {
    const h = coopc.h;
    this.tab = tab;
    this.changed = changed;
    this.selection = null;
    this.form = new coopc.Form(tab.fields, () => { this.preset.value = ''; this.update(); });
    this.preset = h('select', {id: `${tab.id}-preset`, 'aria-label': 'Example', onchange: () => this.choose(this.preset.value)},
      h('option', {value: ''}, 'Choose an example…'), ...tab.presets.map(([name], i) => h('option', {value: String(i)}, name)));
    this.grids = Object.fromEntries(tab.grids.map((key) => [key, new coopc.Grid(key, {
      hover: (cell) => this.inspect(cell < 0 ? this.selection : ['cell', key, cell]),
      pick: (cell) => this.select(['cell', key, cell]),
    })]));
    this.error = h('p', {class: 'refusal', role: 'alert', hidden: true});
    this.facts = h('dl', {class: 'facts'});
    this.command = h('code', {});
    this.inspector = h('div', {class: 'inspector-body'});
    this.sources = tab.sources ? tab.sources(this) : [];
    this.extras = tab.extras ? tab.extras(this) : [];
    this.pictures = h('div', {class: `pictures ${tab.id}`}, ...tab.grids.map((key) => this.grids[key].element));
    this.element = h('div', {class: 'view'},
      h('aside', {class: 'controls', 'aria-label': 'Controls'}, h('p', {class: 'intro'}, tab.intro),
        h('div', {class: 'preset', hidden: tab.presets.length === 0}, this.preset), ...this.sources, this.form.element, ...this.extras),
      h('div', {class: 'stage'}, this.error, this.pictures,
        h('details', {class: 'command'}, h('summary', {}, 'The same on the command line'),
          h('div', {class: 'copyable'}, this.command, h('button', {type: 'button', class: 'small', onclick: () => coopc.copy(this.command.textContent)}, 'Copy')))),
      this.known = h('aside', {class: 'inspector', 'aria-label': 'What is there'}, this.inspector,
        h('section', {class: 'about'}, h('h3', {}, 'This layout'), this.facts)));
    this.element.addEventListener('keydown', (event) => { if (event.key === 'Escape') this.select(null); });
  }

  choose(index) {
    if (index === '') return;
    this.form.set(this.tab.presets[Number(index)][1]);
    this.selection = null;
    this.update();
  }

  // Shows what is wrong above the pictures, or nothing if all is well. Pictures, facts and the command stay
  // unchanged, in gray.
  refuse(text) {
    this.error.hidden = !text;
    this.error.textContent = text || '';
    for (const part of [this.pictures, this.known, this.command]) part.classList.toggle('stale', Boolean(text));
  }

  update() {
    const seen = this.tab.compute(this.form.values, this);
    this.refuse(seen.error);
    this.changed();
    // While a number is being typed, the last picture stays, in gray.
    if (seen.error) return;
    this.seen = seen;
    for (const key of this.tab.grids) {
      this.grids[key].element.hidden = !seen.grids[key];
      if (seen.grids[key]) this.grids[key].set(seen.grids[key]);
    }
    this.facts.replaceChildren(...seen.facts.flatMap(([name, value]) => [coopc.h('dt', {}, name), coopc.h('dd', {}, value)]));
    this.command.textContent = coopc.layout.line(seen.command);
    if (this.selection && !this.valid(this.selection)) this.selection = null;
    this.show();
  }

  valid([kind, key, cell]) {
    const data = kind === 'cell' ? this.seen.grids[key] : null;
    return kind !== 'cell' || (data && cell < data.rows * data.columns);
  }

  select(selection) {
    if (selection && this.selection && selection.join() === this.selection.join()) selection = null;
    this.selection = selection;
    this.show();
    this.changed();
    if (selection) coopc.say(this.inspector.querySelector('h2').textContent);
  }

  show() {
    const marks = this.selection ? this.seen.marks(this.selection) : {};
    for (const key of this.tab.grids) if (this.seen.grids[key]) this.grids[key].mark(marks[key] || new Set());
    this.inspect(this.selection);
  }

  inspect(selection) {
    if (!this.seen) return;
    // A user who follows a link by keyboard continues from the facts that it shows.
    const had = this.inspector.contains(document.activeElement);
    this.fill(selection);
    if (had) this.inspector.querySelector('h2').focus();
  }

  fill(selection) {
    const h = coopc.h;
    if (!selection) {
      this.inspector.replaceChildren(h('h2', {tabIndex: -1}, 'Point at a cell'),
        h('p', {class: 'hint'}, this.tab.hint), h('p', {class: 'hint keys'}, h('kbd', {}, 'Tab'), ' to a picture, ', h('kbd', {}, 'arrows'), ' move, ', h('kbd', {}, 'Enter'), ' selects, ', h('kbd', {}, 'Esc'), ' lets go, ', h('kbd', {}, '+'), h('kbd', {}, '−'), ' size.'));
      return;
    }
    const known = selection[0] === 'cell' ? this.seen.cell(selection[1], selection[2]) : this.seen.selected(selection);
    const link = ([text, to]) => h('button', {type: 'button', class: 'chip', onclick: () => this.select(to)}, text);
    const most = 400;
    const links = known.links || [];
    this.inspector.replaceChildren(...[h('h2', {tabIndex: -1}, known.title),
      h('dl', {class: 'facts'}, ...(known.facts || []).flatMap(([name, value]) => [h('dt', {}, name), h('dd', {}, value)])),
      links.length > 0 ? h('div', {class: 'chips'}, ...links.slice(0, most).map(link), links.length > most ? `and ${links.length - most} more` : null) : null,
      known.steps && known.steps.length > 0 ? h('ol', {class: 'steps'}, ...known.steps.map((step) => h('li', {}, step))) : null].filter(Boolean));
  }

  // [[key, value]] for the link, and back.
  state() {
    return [...this.form.changes(), ...(this.selection ? [['sel', this.selection.join('.')]] : [])];
  }
  restore(parameters) {
    this.form.set(Object.fromEntries(parameters));
    const selection = parameters.get('sel');
    this.selection = selection ? selection.split('.').map((part) => (/^\d+$/.test(part) ? Number(part) : part)) : null;
    if (this.selection && !['cell', 'invocation', 'address'].includes(this.selection[0])) this.selection = null;
    this.update();
  }

  redraw() {
    for (const grid of Object.values(this.grids)) grid.layOut();
  }

  shownGrids() {
    return this.tab.grids.filter((key) => this.seen && this.seen.grids[key]).map((key) => this.grids[key]);
  }
};

coopc.types = ['f16', 'bf16', 'f32', 'tf32', 'f64', 'e4m3', 'e5m2', 's8', 'u8', 's16', 'u16', 's32', 'u32'].map((type) => [type, type]);
coopc.schemes = [['any', 'any rows (lowering)'], ['tinytc-newer', 'Tiny Tensor Compiler, newer text'], ['tinytc-older', 'Tiny Tensor Compiler, older text']];
coopc.uses = [['acc', 'accumulator'], ['a', 'matrix A'], ['b', 'matrix B']];
coopc.owners = (cell) => (cell === '' ? [] : cell.split(',').map((part) => part.split('.').map(Number)));
