'use strict';
// The controls of a tab, made from a table of fields; their values are the tab's state.
//
// A field: {key, label, kind: 'text' | 'long' | 'number' | 'choice' | 'check', value, choices: [[value,
// label]], hint, wide, group, when(values)}. A long text wraps in a field that is as high as it needs. Groups
// can be closed; on a narrow screen they start closed, and say what they contain.
coopc.Form = class {
  constructor(fields, changed) {
    this.fields = fields;
    this.inputs = {};
    this.rows = {};
    this.values = Object.fromEntries(fields.map((field) => [field.key, field.value]));
    const groups = [];
    for (const field of fields) {
      if (groups.length === 0 || groups[groups.length - 1].name !== field.group) groups.push({name: field.group, fields: []});
      groups[groups.length - 1].fields.push(field);
    }
    this.element = coopc.h('form', {class: 'form', autocomplete: 'off', onsubmit: (event) => event.preventDefault()},
      ...groups.map((group) => {
        group.brief = coopc.h('span', {class: 'brief'});
        group.element = coopc.h('details', {class: 'group'}, coopc.h('summary', {}, group.name, ' ', group.brief),
          coopc.h('div', {class: 'fields', role: 'group', 'aria-label': group.name}, ...group.fields.map((field) => this.row(field, changed))));
        return group.element;
      }));
    this.groups = groups;
    const narrow = matchMedia('(max-width: 760px)');
    const fold = () => { for (const group of groups) group.element.open = !narrow.matches; };
    narrow.addEventListener('change', fold);
    fold();
    this.show();
    // Wrapping depends on the width of the form.
    new ResizeObserver(() => this.fit()).observe(this.element);
  }

  // Fields of long texts are as high as their lines.
  fit() {
    for (const field of this.fields) {
      if (field.kind !== 'long') continue;
      const input = this.inputs[field.key];
      input.style.height = 'auto';
      input.style.height = `${input.scrollHeight + 2}px`;
    }
  }

  row(field, changed) {
    const id = `field-${field.key}`;
    let input;
    if (field.kind === 'choice') {
      input = coopc.h('select', {id}, ...field.choices.map(([value, label]) => coopc.h('option', {value}, label)));
    } else if (field.kind === 'check') {
      input = coopc.h('input', {id, type: 'checkbox'});
    } else if (field.kind === 'long') {
      input = coopc.h('textarea', {id, rows: 1, spellcheck: 'false', placeholder: field.placeholder || ''});
      input.addEventListener('keydown', (event) => { if (event.key === 'Enter') event.preventDefault(); });
    } else {
      input = coopc.h('input', {id, type: 'text', inputmode: field.kind === 'number' ? 'numeric' : 'text', spellcheck: 'false', placeholder: field.placeholder || ''});
    }
    input.addEventListener(field.kind === 'choice' || field.kind === 'check' ? 'change' : 'input', () => {
      this.values[field.key] = field.kind === 'check' ? (input.checked ? '1' : '') : field.kind === 'long' ? input.value.replace(/\s+/g, ' ') : input.value;
      this.show();
      changed(field.key);
    });
    this.inputs[field.key] = input;
    this.rows[field.key] = coopc.h('div', {class: `field ${field.kind}${field.wide ? ' wide' : ''}`, title: field.hint || ''},
      coopc.h('label', {for: id}, field.label), input);
    return this.rows[field.key];
  }

  // Updates the controls. Text stays as the user typed it.
  show() {
    for (const field of this.fields) {
      const input = this.inputs[field.key];
      const value = this.values[field.key];
      if (field.kind === 'check') input.checked = value !== '';
      else if (input.value !== value && !(field.kind === 'long' && input.value.replace(/\s+/g, ' ') === value)) input.value = value;
      this.rows[field.key].hidden = field.when ? !field.when(this.values) : false;
    }
    for (const group of this.groups) {
      const shown = group.fields.filter((field) => !this.rows[field.key].hidden && this.values[field.key] !== '');
      const text = (field) => (field.kind === 'choice' ? ((field.choices.find(([value]) => value === this.values[field.key]) || ['', this.values[field.key]])[1]) : this.values[field.key]);
      group.brief.textContent = shown.map(text).join(', ');
    }
    this.fit();
  }

  set(values) {
    for (const field of this.fields) this.values[field.key] = String(values[field.key] ?? field.value);
    this.show();
  }

  // The fields that differ from their initial values, for the link.
  changes() {
    return this.fields.filter((field) => this.values[field.key] !== field.value).map((field) => [field.key, this.values[field.key]]);
  }
};
