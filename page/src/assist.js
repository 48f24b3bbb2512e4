'use strict';
// The language server's answers at the playground's cursor: completion, hover, signatures, definitions,
// colors, code actions. Loaded with the playground.

// A client of the server in the compiler's worker. It has one document.
coopc.server = (() => {
  const uri = 'file:///shader.comp';
  let known = 0;  // the number of the worker that has the document
  let sent = null;
  let next = 0;
  let version = 0;
  let kinds = [];
  let diagnostics = [];

  // The messages of a request to a worker: the initialization and the current text, if the worker lacks them,
  // and the request.
  function messagesFor(worker, text, id, method, params) {
    const messages = [];
    const add = (message) => messages.push(JSON.stringify({jsonrpc: '2.0', ...message}));
    if (worker !== known) {
      diagnostics = [];
      add({id: 'start', method: 'initialize', params: {capabilities: {general: {positionEncodings: ['utf-16']}}, initializationOptions: {pictures: 'svg', settings: {target: 'vulkan1.4'}}}});
      add({method: 'initialized', params: {}});
      add({method: 'textDocument/didOpen', params: {textDocument: {uri, languageId: 'glsl', version: ++version, text}}});
    } else if (text !== sent) {
      add({method: 'textDocument/didChange', params: {textDocument: {uri, version: ++version}, contentChanges: [{text}]}});
    }
    [known, sent] = [worker, text];
    add({id, method, params: {textDocument: {uri}, ...params}});
    return messages.join('\0');
  }

  // The result of a request about a text; null if the server has no result, or has ended. `diagnostics`
  // belong to that text.
  async function ask(text, method, params) {
    const id = ++next;
    const answers = await coopc.compiler.serve((worker) => messagesFor(worker, text, id, method, params));
    if (answers.failed) return null;
    let result = null;
    for (const message of answers) {
      if (message.id === 'start') kinds = message.result.capabilities.semanticTokensProvider.legend.tokenTypes;
      else if (message.id === id) result = message.result ?? null;
      else if (message.method === 'textDocument/publishDiagnostics') ({diagnostics} = message.params);
    }
    return result;
  }

  return {uri, ask, kinds: () => kinds, diagnostics: () => diagnostics};
})();

// Converts between offsets in a text and the protocol's positions; both count UTF-16 units.
coopc.lines = (text) => {
  const begins = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) begins.push(at + 1);
  return {
    offset: ({line, character}) => Math.min((begins[line] ?? text.length) + character, (begins[line + 1] ?? text.length + 1) - 1, text.length),
    position: (offset) => {
      let line = 0;
      for (let high = begins.length; high - line > 1;) {
        const middle = (line + high) >> 1;
        if (begins[middle] <= offset) line = middle;
        else high = middle;
      }
      return {line, character: offset - begins[line]};
    },
  };
};

// Renders the Markdown that the server writes: paragraphs, fenced code, `code`, pictures.
coopc.markdown = (text) => text.split(/(^```[^\n]*\n[^]*?^```$)/m).flatMap((part) => {
  const {h} = coopc;
  const code = /^```[^\n]*\n([^]*?)\n?```$/.exec(part);
  if (code) return [h('pre', {}, code[1])];
  return part.split(/\n{2,}/).filter((paragraph) => paragraph.trim() !== '').map((paragraph) => {
    const picture = /^!\[([^\]]*)\]\((data:image\/[^)|]*)[^)]*\)$/.exec(paragraph.trim());
    if (picture) return h('img', {src: picture[2], alt: picture[1]});
    return h('p', {}, ...paragraph.trim().split('\n').flatMap((line, i) => [...(i > 0 ? [h('br')] : []),
      ...line.trim().split(/`([^`]*)`/).map((piece, k) => (k % 2 === 1 ? h('code', {}, piece) : piece))]));
  });
});

coopc.Assist = class {
  constructor(playground) {
    const {h} = coopc;
    this.playground = playground;
    this.text = playground.text;
    this.tokens = null;  // {begin, end, kind}, in order, for the text `colored`
    this.colored = '';
    this.seen = null;  // the text for which the server gave the tokens
    this.editing = false;  // a choice changes the text, not the user's typing
    // Each counter rises when pending answers are no longer wanted: all of them, those about the pointer's
    // place, and older signatures.
    this.closings = 0;
    this.moves = 0;
    this.helps = 0;
    this.places = new Map();  // where each part was shown last
    // Parts that are shown over the page, at the cursor.
    this.list = h('ul', {id: 'choices', class: 'choices', role: 'listbox', 'aria-label': 'Completions', hidden: true});
    this.tip = h('div', {class: 'tip', role: 'region', 'aria-label': 'About the name', tabIndex: 0, hidden: true});
    this.signature = h('div', {class: 'signature', hidden: true});
    this.ruler = h('span', {class: 'code ruler', 'aria-hidden': 'true'}, '0'.repeat(100));
    playground.element.append(this.list, this.tip, this.signature, this.ruler);
    const button = (label, keys, act) => h('button', {type: 'button', class: 'small', title: keys, 'aria-keyshortcuts': keys.replace('Ctrl', 'Control'),
      onpointerdown: (event) => event.preventDefault(), onclick: () => { this.text.focus(); act(); }}, label);
    this.tools = h('div', {class: 'tools', role: 'group', 'aria-label': 'At the cursor'},
      button('Complete', 'Ctrl+Space', () => this.complete(true)), button('About', 'Alt+F1', () => this.about(this.text.selectionStart, true)),
      button('Signature', 'Ctrl+Shift+Space', () => this.help(true)), button('Definition', 'F12', () => this.define(this.text.selectionStart)),
      button('Fixes', 'Ctrl+.', () => this.fixes()));
    playground.element.querySelector('.editor').before(this.tools);
    for (const [name, value] of [['aria-autocomplete', 'list'], ['aria-haspopup', 'listbox'], ['aria-controls', 'choices']]) this.text.setAttribute(name, value);

    this.text.addEventListener('keydown', (event) => this.key(event), true);
    this.text.addEventListener('input', (event) => this.typed(event));
    this.text.addEventListener('scroll', () => this.follow());
    this.text.addEventListener('blur', (event) => { if (event.relatedTarget !== this.tip) this.closeAll(); });
    this.text.addEventListener('mousemove', (event) => this.rest(event));
    this.text.addEventListener('mouseleave', () => this.leave());
    this.text.addEventListener('click', (event) => {
      this.closeAll();
      if (event.ctrlKey || event.metaKey) this.define(this.text.selectionStart);
    });
    this.tip.addEventListener('mouseenter', () => clearTimeout(this.leaving));
    this.tip.addEventListener('mouseleave', () => this.leave());
    this.tip.addEventListener('blur', () => this.closeAll());
    this.tip.addEventListener('keydown', (event) => { if (event.key === 'Escape') { this.text.focus(); this.closeAll(); } });
    addEventListener('scroll', () => this.follow(), {passive: true});
  }

  // The answer to a question about the text; null if there is none, undefined if the text has changed
  // meanwhile.
  async ask(method, params) {
    const text = this.text.value;
    const result = await coopc.server.ask(text, `textDocument/${method}`, params);
    return text === this.text.value ? result : undefined;
  }
  // Returns a function that tells whether the answer to the current question is still wanted, which ends when
  // everything is closed.
  wish() {
    const {closings} = this;
    return () => closings === this.closings;
  }
  at(offset) { return {position: coopc.lines(this.text.value).position(offset)}; }
  // The word before the cursor.
  word() {
    const before = this.text.value.slice(0, this.text.selectionStart);
    return /[A-Za-z_]\w*$/.exec(before)?.[0] ?? '';
  }

  // ------------------------------------------------------------------------------------------- places on the screen
  metrics() {
    const box = this.text.getBoundingClientRect();
    return {left: box.left + 8 - this.text.scrollLeft, top: box.top + 6 - this.text.scrollTop, cell: this.ruler.getBoundingClientRect().width / 100, box};
  }
  columnsOf(line, end) {
    let columns = 0;
    for (const c of line.slice(0, end)) columns = c === '\t' ? columns + 4 - columns % 4 : columns + 1;
    return columns;
  }
  screenOf(offset) {
    const {left, top, cell} = this.metrics();
    const {line, character} = coopc.lines(this.text.value).position(offset);
    return {x: left + this.columnsOf(this.text.value.split('\n')[line], character) * cell, y: top + line * 24};
  }
  // The offset of the character at a position on the screen, or -1.
  offsetUnder(x, y) {
    const {left, top, cell} = this.metrics();
    const lines = this.text.value.split('\n');
    const line = Math.floor((y - top) / 24);
    const column = Math.floor((x - left) / cell);
    if (line < 0 || line >= lines.length || column < 0) return -1;
    for (let character = 0; character < lines[line].length; ++character)
      if (this.columnsOf(lines[line], character + 1) > column) return coopc.lines(this.text.value).offset({line, character});
    return -1;
  }
  // Shows a part below a line, or above it if there is more room.
  place(part, offset, above = false) {
    this.places.set(part, [offset, above]);
    const {x, y} = this.screenOf(offset);
    part.hidden = false;
    const {width, height} = part.getBoundingClientRect();
    const below = y + 26 + height <= innerHeight || y < innerHeight / 2;
    part.style.left = `${Math.max(8, Math.min(x, innerWidth - width - 8))}px`;
    part.style.top = `${above && y > height + 4 || !below ? Math.max(4, y - height - 2) : y + 26}px`;
  }
  // Moves everything that is shown to its position in the text.
  follow() {
    for (const [part, [offset, above]] of this.places) if (!part.hidden) this.place(part, offset, above);
  }
  closeList() {
    this.list.hidden = true;
    this.text.removeAttribute('aria-activedescendant');
  }
  closeAll() {
    ++this.closings;
    clearTimeout(this.resting);
    this.closeList();
    this.tip.hidden = true;
    this.signature.hidden = true;
  }

  // ------------------------------------------------------------------------------------------------- a list of choices
  // `choices`: {label, detail, act}. The first one is selected.
  choose(name, choices, offset) {
    const {h} = coopc;
    this.choices = choices;
    this.tip.hidden = true;
    this.list.setAttribute('aria-label', name);
    this.list.replaceChildren(...choices.map(({label, detail}, i) => h('li', {id: `choice-${i}`, role: 'option', 'aria-selected': 'false',
      onpointerdown: (event) => event.preventDefault(), onclick: () => this.pick(i)}, h('span', {}, label), detail ? h('small', {}, detail) : null)));
    this.list.scrollTop = 0;
    this.place(this.list, offset);
    this.select(0);
  }
  select(index) {
    const count = this.choices.length;
    this.selected = Math.max(0, Math.min(index, count - 1));
    this.list.querySelector('[aria-selected=true]')?.setAttribute('aria-selected', 'false');
    const option = this.list.children[this.selected];
    option.setAttribute('aria-selected', 'true');
    option.scrollIntoView({block: 'nearest'});
    this.text.setAttribute('aria-activedescendant', option.id);
    const {label, detail} = this.choices[this.selected];
    coopc.say(`${label}${detail ? `, ${detail}` : ''}, ${this.selected + 1} of ${count}`);
  }
  pick(index) {
    const {act} = this.choices[index];
    this.closeList();
    this.text.focus();
    act();
  }

  // ----------------------------------------------------------------------------------------------------------- keys
  key(event) {
    const control = event.ctrlKey || event.metaKey;
    const handled = () => { event.preventDefault(); event.stopImmediatePropagation(); };
    if (event.isComposing) return;
    if (!this.list.hidden && !control && !event.altKey) {
      const step = {ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8}[event.key];
      if (step) { handled(); this.select(this.selected + step); return; }
      if (event.key === 'Enter' || event.key === 'Tab' && !event.shiftKey) { handled(); this.pick(this.selected); return; }
    }
    if (event.key === 'Escape' && !(this.list.hidden && this.tip.hidden && this.signature.hidden)) { handled(); this.closeAll(); return; }
    if (control && event.shiftKey && event.code === 'Space') { handled(); this.help(true); return; }
    if (control && event.code === 'Space') { handled(); this.complete(true); return; }
    if (event.key === 'F12') { handled(); this.define(this.text.selectionStart); return; }
    if (event.altKey && event.key === 'F1') { handled(); this.about(this.text.selectionStart, true); return; }
    if (control && event.key === '.') { handled(); this.fixes(); return; }
    if (/^(Arrow|Home|End|Page)/.test(event.key)) this.closeAll();
  }

  // After each change of the text.
  typed(event) {
    this.tip.hidden = true;
    const data = event.inputType === 'insertText' && !this.editing ? event.data : null;
    if (data === '(' || data === ',') this.help(false);
    else if (!this.signature.hidden) this.help(false);
    const word = this.word();
    if (!this.list.hidden && this.asked && this.asked.begin === this.text.selectionStart - word.length && (word !== '' || this.asked.member)) { this.filter(); return; }
    this.closeList();
    if (data === '.' || data === '#' || data && /\w$/.test(data) && word.length >= 2) this.complete(false);
  }

  // ------------------------------------------------------------------------------------------------------ completion
  // `wanted`: requested by the user, and not caused by typing a letter.
  async complete(wanted) {
    const offset = this.text.selectionStart;
    const word = this.word();
    const wish = this.wish();
    const result = await this.ask('completion', this.at(offset));
    if (!wish()) return;
    if (!result || offset !== this.text.selectionStart) {
      // If only one more letter was typed meanwhile, it narrows the list.
      if (!wanted && this.word().length > word.length && this.text.selectionStart - this.word().length === offset - word.length) this.complete(false);
      return;
    }
    const begin = offset - word.length;
    this.asked = {begin, items: result.items, member: this.text.value[begin - 1] === '.' || this.text.value[begin - 1] === '#'};
    this.filter();
    if (wanted && this.list.hidden) coopc.say('No completions');
  }
  filter() {
    const kMost = 60;
    const {begin, items} = this.asked;
    const word = this.word();
    const lower = word.toLowerCase();
    const rank = ({label}) => (label.startsWith(word) ? 0 : label.toLowerCase().startsWith(lower) ? 1 : label.toLowerCase().includes(lower) ? 2 : 3);
    const found = items.map((item, i) => ({item, i, rank: rank(item)})).filter((one) => one.rank < 3).sort((a, b) => a.rank - b.rank || a.i - b.i).slice(0, kMost);
    if (found.length === 0 || found.length === 1 && found[0].item.label === word) { this.closeList(); return; }
    this.choose('Completions', found.map(({item}) => ({label: item.label, detail: item.detail || '',
      act: () => this.edit([{begin, end: this.text.selectionStart, text: item.label}])})), begin);
  }

  // Changes the text in a way that the browser can undo.
  edit(edits) {
    this.text.focus();
    ++this.closings;
    this.editing = true;
    for (const {begin, end, text} of [...edits].sort((a, b) => b.begin - a.begin)) {
      this.text.setSelectionRange(begin, end);
      if (text === '') document.execCommand('delete');
      else document.execCommand('insertText', false, text);
    }
    this.editing = false;
  }

  // ------------------------------------------------------------------------------------------------- about a place
  rest(event) {
    clearTimeout(this.resting);
    clearTimeout(this.leaving);
    const offset = this.offsetUnder(event.clientX, event.clientY);
    if (offset !== this.pointed) ++this.moves;
    this.pointed = offset;
    if (!this.tip.hidden && offset !== this.told) this.leave();
    if (event.buttons !== 0 || offset < 0 || !/\w/.test(this.text.value[offset])) return;
    this.resting = setTimeout(() => this.about(offset, false), 350);
  }
  leave() {
    ++this.moves;
    clearTimeout(this.resting);
    clearTimeout(this.leaving);
    this.leaving = setTimeout(() => { if (document.activeElement !== this.tip) this.tip.hidden = true; }, 250);
  }
  async about(offset, said) {
    const text = this.text.value;
    const {moves} = this;
    let wish = this.wish();
    const wanted = () => wish() && text === this.text.value && (said || moves === this.moves);
    const result = await this.ask('hover', this.at(offset));
    if (!wanted()) return;
    if (!result) {
      if (said) coopc.say('Nothing is known here');
      return;
    }
    clearTimeout(this.leaving);
    this.closeAll();
    wish = this.wish();
    this.told = offset;
    this.tip.replaceChildren(...coopc.markdown(result.contents.value));
    const start = offset - /\w*$/.exec(this.text.value.slice(0, offset))[0].length;
    await Promise.all([...this.tip.querySelectorAll('img')].map((image) => image.decode().catch(() => null)));
    if (!wanted()) return;
    this.place(this.tip, start);
    this.tip.scrollTop = 0;
    if (!said) return;
    coopc.say(this.tip.textContent);
    this.tip.focus({preventScroll: true});  // so that keys scroll it
  }
  async help(said) {
    const offset = this.text.selectionStart;
    const wish = this.wish();
    const mine = ++this.helps;
    const result = await this.ask('signatureHelp', this.at(offset));
    if (!wish() || mine !== this.helps) return;
    if (result === undefined) {
      await this.help(said);
      return;
    }
    if (!result) {
      this.signature.hidden = true;
      if (said) coopc.say('No function is called here');
      return;
    }
    const {h} = coopc;
    const form = result.signatures[result.activeSignature] ?? result.signatures[0];
    const parameter = form.parameters[result.activeParameter]?.label ?? '';
    // Finds the parameter in the label. The same text may occur before it.
    let at = form.label.indexOf('(');
    for (let i = 0; i <= result.activeParameter && i < form.parameters.length; ++i) at = form.label.indexOf(form.parameters[i].label, at + (i > 0 ? form.parameters[i - 1].label.length : 1));
    const end = parameter === '' ? at : at + parameter.length;
    this.signature.replaceChildren(h('code', {}, form.label.slice(0, at), h('b', {}, form.label.slice(at, end)), form.label.slice(end)),
      ...(result.signatures.length > 1 ? [h('small', {}, `${result.activeSignature + 1} of ${result.signatures.length}`)] : []),
      ...(form.documentation ? [h('p', {}, form.documentation)] : []));
    this.place(this.signature, offset, true);
    if (said) coopc.say(this.signature.textContent);
  }
  async define(offset) {
    const wish = this.wish();
    const result = await this.ask('definition', this.at(offset));
    if (!wish() || result === undefined) return;
    if (!result || result.uri !== coopc.server.uri) { coopc.say('It is declared nowhere in this text'); return; }
    const lines = coopc.lines(this.text.value);
    this.text.focus();
    this.text.setSelectionRange(lines.offset(result.range.start), lines.offset(result.range.end));
    this.text.scrollTop = Math.max(0, (result.range.start.line - 3) * 24);
    coopc.say(`Line ${result.range.start.line + 1}`);
  }

  // --------------------------------------------------------------------------------------------------- code actions
  async actionsFor(diagnostics) {
    if (diagnostics.length === 0) return [];
    const actions = await this.ask('codeAction', {range: diagnostics[0].range, context: {diagnostics}});
    return (actions || []).filter((action) => action.edit);
  }
  // Applies a fix to a text, unless the text has changed: a button may be clicked twice.
  apply(action, text) {
    if (text !== this.text.value) return;
    const lines = coopc.lines(this.text.value);
    this.edit((action.edit.changes[coopc.server.uri] || []).map(({range, newText}) => ({begin: lines.offset(range.start), end: lines.offset(range.end), text: newText})));
  }
  async fixes() {
    const text = this.text.value;
    const offset = this.text.selectionStart;
    const {line} = coopc.lines(text).position(offset);
    const wish = this.wish();
    await this.refresh(text);
    const here = coopc.server.diagnostics().filter(({range}) => range.start.line <= line && line <= range.end.line);
    const actions = await this.actionsFor(here);
    if (!wish() || text !== this.text.value) return;
    if (actions.length === 0) { coopc.say('There is no fix for this line'); return; }
    this.asked = null;
    this.choose('Fixes', actions.map((action) => ({label: action.title, act: () => this.apply(action, text)})), offset);
  }

  // ----------------------------------------------------------------------------------------------- after each compile
  // Updates the colors, and the buttons for fixes in the list of diagnostics.
  async refresh(text) {
    const result = await coopc.server.ask(text, 'textDocument/semanticTokens/full', {});
    if (!result || text !== this.text.value) return;
    const lines = coopc.lines(text);
    const kinds = coopc.server.kinds();
    this.tokens = [];
    for (let i = 0, line = 0, character = 0; i < result.data.length; i += 5) {
      const [down, right, length, kind] = result.data.slice(i, i + 4);
      line += down;
      character = down === 0 ? character + right : right;
      const begin = lines.offset({line, character});
      this.tokens.push({begin, end: begin + length, kind: kinds[kind]});
    }
    this.colored = text;
    this.seen = text;
    this.playground.color(text);
  }
  async decorate(text, rows) {
    for (const {line, column, message, element} of rows) {
      const same = coopc.server.diagnostics().filter((d) => d.range.start.line === line - 1 && d.range.start.character === column && d.message.startsWith(message));
      const actions = await this.actionsFor(same.slice(0, 1));
      if (text !== this.text.value) return;
      element.append(...actions.map((action) => coopc.h('button', {type: 'button', class: 'fix', onclick: () => this.apply(action, text)}, action.title)));
    }
  }

  // The tokens of a text that differs from the colored one in one place. New text has no color until the
  // server has seen it.
  tokensOf(text) {
    if (!this.tokens) return null;
    const old = this.colored;
    if (text === old) return this.tokens;
    let before = 0;
    let behind = 0;
    const shorter = Math.min(old.length, text.length);
    while (before < shorter && old[before] === text[before]) ++before;
    while (behind < shorter - before && old[old.length - 1 - behind] === text[text.length - 1 - behind]) ++behind;
    const moved = text.length - old.length;
    this.tokens = this.tokens.flatMap((token) => {
      if (token.end <= before) return [token];
      if (token.begin >= old.length - behind) return [{...token, begin: token.begin + moved, end: token.end + moved}];
      // A word that is being typed keeps its color.
      return token.begin <= before && token.end >= old.length - behind ? [{...token, end: token.end + moved}] : [];
    });
    this.colored = text;
    return this.tokens;
  }
};
