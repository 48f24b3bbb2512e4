'use strict';
// The controls of a tab, made from a table of fields; their values are the tab's state.
//
// A field: {key, label, kind: 'text' | 'number' | 'choice' | 'check', value, choices: [[value, label]], hint, wide, group, when(values)}
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
      ...groups.map((group) => coopc.h('fieldset', {}, coopc.h('legend', {}, group.name),
        coopc.h('div', {class: 'fields'}, ...group.fields.map((field) => this.row(field, changed))))));
    this.show();
  }

  row(field, changed) {
    const id = `field-${field.key}`;
    let input;
    if (field.kind === 'choice') {
      input = coopc.h('select', {id}, ...field.choices.map(([value, label]) => coopc.h('option', {value}, label)));
    } else if (field.kind === 'check') {
      input = coopc.h('input', {id, type: 'checkbox'});
    } else {
      input = coopc.h('input', {id, type: 'text', inputmode: field.kind === 'number' ? 'numeric' : 'text', spellcheck: 'false', placeholder: field.placeholder || ''});
    }
    input.addEventListener(field.kind === 'choice' || field.kind === 'check' ? 'change' : 'input', () => {
      this.values[field.key] = field.kind === 'check' ? (input.checked ? '1' : '') : input.value;
      this.show();
      changed(field.key);
    });
    this.inputs[field.key] = input;
    this.rows[field.key] = coopc.h('div', {class: `field ${field.kind}${field.wide ? ' wide' : ''}`, title: field.hint || ''},
      coopc.h('label', {for: id}, field.label), input);
    return this.rows[field.key];
  }

  // What was typed stays as it was typed.
  show() {
    for (const field of this.fields) {
      const input = this.inputs[field.key];
      const value = this.values[field.key];
      if (field.kind === 'check') input.checked = value !== '';
      else if (input.value !== value) input.value = value;
      this.rows[field.key].hidden = field.when ? !field.when(this.values) : false;
    }
  }

  set(values) {
    for (const field of this.fields) this.values[field.key] = String(values[field.key] ?? field.value);
    this.show();
  }

  // What differs from the start, for the link.
  changes() {
    return this.fields.filter((field) => this.values[field.key] !== field.value).map((field) => [field.key, this.values[field.key]]);
  }
};
