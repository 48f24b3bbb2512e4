'use strict';
// The playground: GLSL on the left, and the results of the compiler and the validator on the right.
coopc.playground = (() => {
  let loaded = null;
  const load = () => {
    loaded = loaded || Promise.all(['playground_samples.js', 'assist.js'].map(coopc.loadScript));
    return Promise.all([loaded, coopc.compiler.load()]);
  };

  // A text in an address: compressed, and written in characters that addresses allow.
  const through = async (bytes, stream) => new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
  async function pack(text) {
    const bytes = await through(new TextEncoder().encode(text), new CompressionStream('deflate-raw'));
    let letters = '';
    for (const byte of bytes) letters += String.fromCharCode(byte);
    return btoa(letters).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '');
  }
  async function unpack(letters) {
    const bytes = Uint8Array.from(atob(letters.replace(/-/g, '+').replace(/_/g, '/')), (c) => c.charCodeAt(0));
    return new TextDecoder().decode(await through(bytes, new DecompressionStream('deflate-raw')));
  }

  return {load, pack, unpack};
})();

(() => {
  const {h} = coopc;
  const kLine = 24;  // pixels of a line in the editor, as in style.css
  const first = `#version 460
#extension GL_KHR_cooperative_matrix : enable
#extension GL_NV_cooperative_matrix2 : enable
#extension GL_KHR_memory_scope_semantics : enable
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : enable

layout(local_size_x = 32) in;
layout(set = 0, binding = 0) buffer A { float16_t a[]; };

void main() {
  tensorLayoutNV<2> t = createTensorLayoutNV(2);
  t = setTensorLayoutDimensionNV(t, 128, 64);
  coopmat<float16_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseA> m;
  coopMatLoadTensorNV(m, a, 0, sliceTensorLayoutNV(t, 32, 16, 16, 16));
  coopMatStoreTensorNV(m, a, 0, sliceTensorLayoutNV(t, 0, 16, 0, 16));
}
`;

  const words = /(\/\/[^\n]*|\/\*[^]*?(?:\*\/|$))|(^[ \t]*#[^\n]*)|\b(\d[\w.]*)\b|\b(if|else|for|while|do|switch|case|default|return|break|continue|discard|const|in|out|inout|uniform|buffer|shared|layout|struct|void|bool|u?int(?:\d+_t)?|float(?:\d+_t|e\dm\d_t)?|bfloat16_t|double|[biud]?vec[234]|mat[234](?:x[234])?|coopmat|tensorLayoutNV|tensorViewNV)\b/gm;
  // The text as elements, with classes for highlighting: from the server's tokens once it has seen a text,
  // and by words before that.
  function colored(text, tokens) {
    const parts = [];
    let from = 0;
    if (tokens) {
      for (const {begin, end, kind} of tokens) {
        if (begin < from) continue;
        parts.push(text.slice(from, begin), h('span', {class: kind}, text.slice(begin, end)));
        from = end;
      }
      return [...parts, text.slice(from), '\n'];
    }
    for (const match of text.matchAll(words)) {
      if (match.index > from) parts.push(text.slice(from, match.index));
      parts.push(h('span', {class: ['comment', 'directive', 'number', 'keyword'][match.slice(1).findIndex((group) => group !== undefined)]}, match[0]));
      from = match.index + match[0].length;
    }
    parts.push(text.slice(from), '\n');
    return parts;
  }

  // Columns count bytes; the editor counts UTF-16 units.
  const columnOf = (line, bytes) => new TextDecoder().decode(new TextEncoder().encode(line).slice(0, bytes - 1)).length;

  class Playground {
    constructor(changed) {
      this.tab = tab;
      this.changed = changed;
      this.packed = null;
      this.text = h('textarea', {id: 'source', class: 'code', spellcheck: false, wrap: 'off', 'aria-label': 'GLSL', autocapitalize: 'off', autocomplete: 'off'});
      this.back = h('pre', {class: 'code back', 'aria-hidden': 'true'});
      this.marks = h('div', {class: 'marks', 'aria-hidden': 'true'});
      this.gutter = h('pre', {class: 'gutter', 'aria-hidden': 'true'});
      this.level = h('select', {id: 'level', 'aria-label': 'Optimization'}, ...['-O0', '-O', '-Os'].map((name, i) => h('option', {value: String(i)}, name)));
      this.sample = h('select', {id: 'sample', 'aria-label': 'Sample shader'}, h('option', {value: ''}, 'Choose a sample…'));
      this.state_ = h('p', {class: 'compile-state', role: 'status'}, 'Loading the compiler…');
      this.problems = h('ol', {class: 'problems', 'aria-label': 'Diagnostics'});
      this.assembly = h('pre', {class: 'assembly', tabIndex: 0, 'aria-label': 'SPIR-V'});
      this.findings = h('ol', {class: 'problems', 'aria-label': 'Rule findings'});
      this.findingsHead = h('h3', {}, 'Rules');
      this.reflection = h('section', {class: 'reflection', 'aria-label': 'Reflection'});
      this.accessList = h('ol', {class: 'problems', 'aria-label': 'Loads and stores'});
      this.accesses = h('section', {class: 'accesses', hidden: true}, h('h3', {}, 'Loads and stores'), this.accessList);
      this.element = h('div', {class: 'playground'},
        h('section', {class: 'source'}, h('div', {class: 'bar'}, h('h3', {}, 'GLSL'), this.sample, this.level),
          h('div', {class: 'editor'}, this.gutter, h('div', {class: 'sheet'}, this.back, this.marks, this.text)), this.state_, this.problems),
        h('section', {class: 'outcome'}, this.findingsHead, this.findings, this.accesses,
          h('details', {class: 'reflection-part', open: true}, h('summary', {}, 'Reflection'), this.reflection),
          h('div', {class: 'bar'}, h('h3', {}, 'SPIR-V'), h('button', {type: 'button', class: 'small', onclick: () => coopc.copy(this.assembly.textContent)}, 'Copy')), this.assembly));
      this.text.addEventListener('input', () => this.edited());
      this.text.addEventListener('scroll', () => this.scrolled());
      this.text.addEventListener('keydown', (event) => this.indent(event));
      this.level.addEventListener('change', () => this.compile());
      this.sample.addEventListener('change', () => { if (this.sample.value) this.setText(coopc.texts[this.sample.value]); });
      coopc.playground.load().then(() => {
        this.assist = new coopc.Assist(this);
        for (const name of Object.keys(coopc.texts).filter((key) => key.endsWith('.comp'))) this.sample.append(h('option', {value: name}, name.replace('.comp', '')));
      }, (failure) => { this.state_.textContent = String(failure.message); });
    }

    restore(parameters) {
      this.level.value = parameters.get('level') || '0';
      const packed = parameters.get('z');
      if (!packed) { if (!this.text.value) this.setText(first); return; }
      if (packed === this.packed) return;
      coopc.playground.unpack(packed).then((text) => this.setText(text), () => { this.setText(first); this.state_.textContent = 'The link is damaged: this is the sample.'; });
    }
    state() { return [...(this.packed ? [['z', this.packed]] : []), ...(this.level.value !== '0' ? [['level', this.level.value]] : [])]; }
    redraw() { this.scrolled(); }

    setText(text) {
      this.text.value = text;
      this.edited();
    }

    edited() {
      const text = this.text.value;
      this.color(text);
      this.gutter.textContent = Array.from({length: text.split('\n').length}, (_, i) => i + 1).join('\n') + '\n';
      this.scrolled();
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.compile(), 150);
    }

    color(text) { this.back.replaceChildren(...colored(text, this.assist?.tokensOf(text))); }

    async compile() {
      const text = this.text.value;
      const begin = performance.now();
      const answer = await coopc.compiler.compile(text, Number(this.level.value));
      if (text !== this.text.value) return;  // the text has changed: the next result counts
      const spent = performance.now() - begin;
      this.packed = text === first ? null : await coopc.playground.pack(text);
      this.changed();
      if (answer.failed) {
        this.state_.textContent = `The compiler ended (${answer.failed}). It starts again with the next change.`;
        return;
      }
      this.show(text, answer, spent);
      const {rows} = this;
      await coopc.playground.load();
      await this.assist.refresh(text);
      if (rows === this.rows) await this.assist.decorate(text, rows);  // unless another compile has replaced them
    }

    show(text, answer, spent) {
      const lines = text.split('\n');
      const errors = answer.diagnostics.filter((d) => d.severity === 'error' || d.severity === 'fatal').length;
      this.state_.textContent = answer.ok ? `Compiled in ${spent.toFixed(0)} ms: ${answer.bytes} bytes${answer.diagnostics.length ? `, ${coopc.plural(answer.diagnostics.length, 'warning')}` : ''}.`
        : `${coopc.plural(errors, 'error')}.`;
      const go = (line, column) => () => {
        const at = lines.slice(0, line - 1).reduce((sum, l) => sum + l.length + 1, 0) + Math.max(0, column);
        this.text.focus();
        this.text.setSelectionRange(at, at);
        this.text.scrollTop = Math.max(0, (line - 4) * kLine);
      };
      const marks = [];
      const under = new Map();  // what is shown below a line: all of its messages, one after the other
      this.rows = [];  // diagnostics in the text, with their elements
      const suggested = (d) => (d.suggestion ? `: did you mean “${d.suggestion}”?` : '');
      const rows = answer.diagnostics.map((d) => {
        const line = lines[d.line - 1] ?? '';
        const column = d.line ? columnOf(line, d.column) : 0;
        const length = Math.max(1, columnOf(line, d.column + d.length) - column);
        if (d.line && d.line <= lines.length) {
          marks.push(h('span', {class: `squiggle ${d.severity}`, style: `top:${(d.line - 1) * kLine}px;left:${column}ch;width:${length}ch`}));
          const part = h('span', {class: d.severity}, `${d.message}${suggested(d)}`);
          const known = under.get(d.line);
          under.set(d.line, {column: known ? Math.min(known.column, column) : column, parts: [...(known ? known.parts : []), {column, part}]});
        }
        const about = h('div', {}, `${d.severity}: ${d.message}`, d.suggestion ? h('span', {class: 'suggestion'}, `did you mean “${d.suggestion}”?`) : null,
          d.clause ? h('span', {class: 'clause'}, d.clause) : null,
          ...(d.notes || []).map((note) => h('span', {class: 'clause'}, `${note.line ? `${note.line}: ` : ''}${note.message}`)));
        if (d.line) this.rows.push({line: d.line, column, message: d.message, element: about});
        return h('li', {class: d.severity}, h('button', {type: 'button', onclick: go(d.line, column)}, d.line ? `${d.line}:${column + 1}` : '—'), about);
      });
      for (const [line, {column, parts}] of under) {
        marks.push(h('span', {class: 'under', style: `top:${(line - 1) * kLine}px;left:${column}ch`},
          ...parts.sort((a, b) => a.column - b.column).map(({part}) => part)));
      }
      this.marks.replaceChildren(...marks);
      this.problems.replaceChildren(...rows);
      const count = answer.findings.length;
      this.findingsHead.textContent = answer.ok ? `Rules: ${count === 0 ? 'no findings' : coopc.plural(count, 'finding')}` : 'Rules';
      this.findings.replaceChildren(...answer.findings.map((f) => h('li', {class: f.severity},
        h('button', {type: 'button', onclick: go(f.line || 1, 0)}, f.line ? String(f.line) : '—'),
        h('div', {}, `${f.severity}: ${f.message}`, h('span', {class: 'clause'}, `${f.rule}: ${f.clause}`), f.instruction ? h('code', {class: 'clause'}, f.instruction) : null))));
      this.showAccesses(text, answer.accesses, go);
      // While there is no module, the previous one stays, in gray.
      if (answer.ok) {
        this.assembly.textContent = answer.assembly;
        const opened = this.reflection.querySelector('details')?.open;
        this.reflection.replaceChildren(...coopc.reflection(answer.reflection));
        if (opened) this.reflection.querySelector('details').open = true;
      }
      for (const part of [this.assembly, this.reflection]) part.classList.toggle('stale', !answer.ok);
    }

    // The loads and stores of matrices, each with a link to its picture.
    showAccesses(text, listed, go) {
      const accesses = Object.entries(listed);
      this.accesses.hidden = accesses.length === 0;
      this.accessList.replaceChildren(...accesses.map(([number, what]) => {
        const [line] = coopc.numbers(what.slice(what.lastIndexOf('line')));
        return h('li', {}, h('button', {type: 'button', onclick: go(line, 0)}, String(line)),
          h('button', {type: 'button', class: 'chip', onclick: () => coopc.openTab('tensor').paste(text, number)}, `picture of ${what.slice(0, what.lastIndexOf(','))}`));
      }));
    }

    scrolled() {
      const move = `translate(${-this.text.scrollLeft}px, ${-this.text.scrollTop}px)`;
      this.back.style.transform = move;
      this.marks.style.transform = move;
      this.gutter.style.transform = `translateY(${-this.text.scrollTop}px)`;
    }

    // A new line gets the indentation of the previous one. Tab leaves the editor, for users without a mouse.
    indent(event) {
      if (event.key !== 'Enter' || event.ctrlKey || event.metaKey || event.isComposing) return;
      const before = this.text.value.slice(0, this.text.selectionStart);
      const [blanks] = /[ \t]*$|^[ \t]*/.exec(before.slice(before.lastIndexOf('\n') + 1).match(/^[ \t]*/)[0]);
      event.preventDefault();
      document.execCommand('insertText', false, `\n${blanks}`);
    }
  }

  const tab = {id: 'playground', label: 'Playground', make: (changed) => new Playground(changed)};
  coopc.tabs.push(tab);
})();
