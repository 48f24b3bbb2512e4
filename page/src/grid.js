'use strict';
// A table of cells on a canvas: colors, texts if there is room for them, a cursor that mouse and keyboard
// move, highlights.
coopc.Grid = class {
  // `events`: hover(index or -1), pick(index). The index is row * columns + column.
  constructor(title, events) {
    this.events = events;
    this.zoom = 0;  // steps from the size that fits
    this.cursor = -1;
    this.hovered = -1;
    this.marked = new Set();
    this.data = null;
    this.canvas = coopc.h('canvas', {tabIndex: 0, role: 'application', 'aria-roledescription': 'table of cells'});
    this.scroller = coopc.h('div', {class: 'scroller'}, this.canvas);
    this.heading = coopc.h('h3', {}, title);
    this.note = coopc.h('p', {class: 'note'});
    this.zoomOut = coopc.h('button', {type: 'button', class: 'small', 'aria-label': `${title}: smaller`, onclick: () => this.zoomBy(-1)}, '−');
    this.zoomIn = coopc.h('button', {type: 'button', class: 'small', 'aria-label': `${title}: larger`, onclick: () => this.zoomBy(1)}, '+');
    this.element = coopc.h('section', {class: 'grid'},
      coopc.h('div', {class: 'grid-head'}, this.heading, coopc.h('span', {class: 'zoom'}, this.zoomOut, this.zoomIn)),
      this.note, this.scroller);
    this.canvas.addEventListener('mousemove', (event) => this.hover(this.cellAt(event)));
    this.canvas.addEventListener('mouseleave', () => this.hover(-1));
    this.canvas.addEventListener('click', (event) => {
      const cell = this.cellAt(event);
      if (cell < 0) return;
      this.cursor = cell;
      this.events.pick(cell);
    });
    this.canvas.addEventListener('keydown', (event) => this.key(event));
    this.canvas.addEventListener('focus', () => this.draw());
    this.canvas.addEventListener('blur', () => this.draw());
    new ResizeObserver(() => this.layOut()).observe(this.scroller);
  }

  // {title, note, rows, columns, text(i), color(i) (null: none), rowLabel(r), columnLabel(c), label}
  set(data) {
    this.data = data;
    if (this.cursor >= data.rows * data.columns) this.cursor = -1;
    this.heading.textContent = data.title;
    this.note.textContent = data.note || '';
    this.note.hidden = !data.note;
    this.canvas.setAttribute('aria-label', `${data.title}, ${data.rows} rows, ${data.columns} columns. Arrow keys move, Enter selects.`);
    this.longest = 1;
    const cells = data.rows * data.columns;
    for (let i = 0; i < cells; i += cells > 20000 ? 7 : 1) this.longest = Math.max(this.longest, data.text(i).length);
    this.layOut();
  }

  mark(cells) {
    this.marked = cells;
    this.draw();
  }

  zoomBy(steps) {
    this.zoom = Math.max(-4, Math.min(8, this.zoom + steps));
    this.layOut();
  }

  layOut() {
    if (!this.data || !this.scroller.clientWidth) return;
    const {rows, columns} = this.data;
    const room = this.scroller.clientWidth - 2;
    const rowLabel = (r) => (this.data.rowLabel ? this.data.rowLabel(r) : String(r));
    this.left = 10 + 7 * Math.max(rowLabel(rows - 1).length, rowLabel(0).length);
    this.top = 20;
    const textWidth = 8 + 6.7 * this.longest;
    const fit = (room - this.left) / columns;
    let width = fit >= textWidth ? Math.min(fit, Math.max(textWidth + 10, 40)) : columns * textWidth <= room * 1.25 ? textWidth : Math.max(2, fit);
    width *= 1.25 ** this.zoom;
    const most = 12000 / Math.max(rows, columns);
    this.cellWidth = Math.max(2, Math.min(width, most));
    this.cellWidth = this.cellWidth >= 8 ? Math.floor(this.cellWidth) : this.cellWidth;
    this.texts = this.cellWidth >= textWidth - 1;
    // A few rows are easier to see if they are higher than their cells are wide.
    this.cellHeight = Math.min(this.texts ? Math.max(22, Math.min(28, this.cellWidth)) : Math.max(Math.min(22, this.cellWidth), rows <= 16 ? 16 : rows <= 40 ? 10 : 0), most);
    const total = [Math.ceil(this.left + this.cellWidth * columns + 1), Math.ceil(this.top + this.cellHeight * rows + 1)];
    this.scale = Math.min(devicePixelRatio || 1, 16000 / Math.max(...total));
    this.canvas.style.width = `${total[0]}px`;
    this.canvas.style.height = `${total[1]}px`;
    this.canvas.width = Math.round(total[0] * this.scale);
    this.canvas.height = Math.round(total[1] * this.scale);
    this.size = total;
    this.base = null;
    this.draw();
  }

  // Draws the cells without cursor and highlights to a canvas that is kept, so that moving the cursor over
  // 32768 cells is cheap.
  paint() {
    const {rows, columns, text, color} = this.data;
    const base = document.createElement('canvas');
    base.width = this.canvas.width;
    base.height = this.canvas.height;
    const c = base.getContext('2d');
    c.scale(this.scale, this.scale);
    const ink = coopc.token('--ink');
    const faint = coopc.token('--faint');
    const empty = coopc.token('--empty');
    c.textAlign = 'center';
    c.textBaseline = 'middle';
    c.font = '11px ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace';
    const gap = this.cellWidth >= 8 ? 1 : 0;
    const colors = new Map();
    for (let i = 0; i < rows * columns; ++i) {
      const number = color(i);
      if (!colors.has(number)) colors.set(number, number === null ? empty : this.data.palette(number));
      c.fillStyle = colors.get(number);
      c.fillRect(this.left + (i % columns) * this.cellWidth, this.top + Math.floor(i / columns) * this.cellHeight,
        this.cellWidth - gap, this.cellHeight - gap);
    }
    if (this.texts) {
      c.fillStyle = ink;
      for (let i = 0; i < rows * columns; ++i) {
        c.fillText(text(i), this.left + (i % columns + 0.5) * this.cellWidth, this.top + (Math.floor(i / columns) + 0.5) * this.cellHeight);
      }
    }
    c.fillStyle = faint;
    c.font = '10px ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace';
    const labels = (count, size, label, put) => {
      const longest = 6.5 * Math.max(label(count - 1).length, label(0).length) + 4;
      let every = 1;
      while (every * size < longest) every *= 2;
      for (let i = 0; i < count; i += every) put(label(i), i);
    };
    labels(columns, this.cellWidth, (n) => (this.data.columnLabel ? this.data.columnLabel(n) : String(n)),
      (label, n) => c.fillText(label, this.left + (n + 0.5) * this.cellWidth, 11));
    c.textAlign = 'right';
    const rowLabel = (r) => (this.data.rowLabel ? this.data.rowLabel(r) : String(r));
    let every = 1;
    while (every * this.cellHeight < 12) every *= 2;
    for (let r = 0; r < rows; r += every) c.fillText(rowLabel(r), this.left - 6, this.top + (r + 0.5) * this.cellHeight);
    return base;
  }

  draw() {
    if (!this.data || !this.size) return;
    this.base = this.base || this.paint();
    const c = this.canvas.getContext('2d');
    c.setTransform(1, 0, 0, 1, 0, 0);
    c.clearRect(0, 0, this.canvas.width, this.canvas.height);
    if (this.marked.size > 0) {
      // Cells that are not marked are dimmed.
      c.globalAlpha = 0.34;
      c.drawImage(this.base, 0, 0);
      c.globalAlpha = 1;
      c.save();
      c.beginPath();
      for (const cell of this.marked) this.rect(c, cell, 0, this.scale);
      c.rect(0, 0, this.canvas.width, this.top * this.scale);
      c.rect(0, 0, this.left * this.scale, this.canvas.height);
      c.clip();
      c.clearRect(0, 0, this.canvas.width, this.canvas.height);
      c.drawImage(this.base, 0, 0);
      c.restore();
    } else {
      c.drawImage(this.base, 0, 0);
    }
    c.scale(this.scale, this.scale);
    c.strokeStyle = coopc.token('--accent');
    if (this.marked.size > 0) {
      c.lineWidth = 1.5;
      c.beginPath();
      for (const cell of this.marked) this.rect(c, cell, 0.5, 1);
      c.stroke();
    }
    for (const cell of [this.cursor, this.hovered]) {
      if (cell < 0 || (cell === this.cursor && document.activeElement !== this.canvas && this.marked.size === 0)) continue;
      c.lineWidth = 2.5;
      c.strokeStyle = coopc.token('--ink');
      c.beginPath();
      this.rect(c, cell, 0, 1);
      c.stroke();
    }
  }

  rect(c, cell, inset, scale) {
    const {columns} = this.data;
    c.rect((this.left + (cell % columns) * this.cellWidth + inset) * scale, (this.top + Math.floor(cell / columns) * this.cellHeight + inset) * scale,
      (this.cellWidth - 1 - 2 * inset) * scale, (this.cellHeight - 1 - 2 * inset) * scale);
  }

  cellAt(event) {
    if (!this.data) return -1;
    const box = this.canvas.getBoundingClientRect();
    const column = Math.floor((event.clientX - box.left - this.left) / this.cellWidth);
    const row = Math.floor((event.clientY - box.top - this.top) / this.cellHeight);
    return column >= 0 && row >= 0 && column < this.data.columns && row < this.data.rows ? row * this.data.columns + column : -1;
  }

  hover(cell) {
    if (cell === this.hovered) return;
    this.hovered = cell;
    this.draw();
    this.events.hover(cell);
  }

  key(event) {
    if (!this.data) return;
    const {rows, columns} = this.data;
    const from = Math.max(0, this.cursor);
    const row = Math.floor(from / columns);
    const column = from % columns;
    const to = {
      ArrowLeft: [row, Math.max(0, column - 1)], ArrowRight: [row, Math.min(columns - 1, column + 1)],
      ArrowUp: [Math.max(0, row - 1), column], ArrowDown: [Math.min(rows - 1, row + 1), column],
      Home: [row, 0], End: [row, columns - 1], PageUp: [Math.max(0, row - 8), column], PageDown: [Math.min(rows - 1, row + 8), column],
    }[event.key];
    if (to) {
      event.preventDefault();
      this.moveTo(this.cursor < 0 ? 0 : to[0] * columns + to[1]);
      this.events.hover(this.cursor);
      coopc.say(this.data.label ? this.data.label(this.cursor) : '');
    } else if ((event.key === 'Enter' || event.key === ' ') && this.cursor >= 0) {
      event.preventDefault();
      this.events.pick(this.cursor);
    } else if (event.key === '+' || event.key === '-') {
      this.zoomBy(event.key === '+' ? 1 : -1);
    }
  }

  moveTo(cell) {
    this.cursor = cell;
    const {columns} = this.data;
    const x = this.left + (cell % columns) * this.cellWidth;
    const y = this.top + Math.floor(cell / columns) * this.cellHeight;
    const s = this.scroller;
    if (x < s.scrollLeft || x + this.cellWidth > s.scrollLeft + s.clientWidth) s.scrollLeft = x - s.clientWidth / 2;
    if (y < s.scrollTop || y + this.cellHeight > s.scrollTop + s.clientHeight) s.scrollTop = y - s.clientHeight / 2;
    this.draw();
  }

  // The table as SVG elements below `y`, and its size.
  svg(y) {
    const {rows, columns, text, color, title} = this.data;
    const escape = (s) => s.replace(/[&<>"]/g, (ch) => `&#${ch.charCodeAt(0)};`);
    const w = this.cellWidth;
    const h = this.cellHeight;
    const top = y + 16 + this.top;
    const paths = new Map();
    for (let i = 0; i < rows * columns; ++i) {
      const n = color(i);
      const part = `M${+(this.left + (i % columns) * w).toFixed(2)} ${+(top + Math.floor(i / columns) * h).toFixed(2)}h${+(w - 1).toFixed(2)}v${+(h - 1).toFixed(2)}h-${+(w - 1).toFixed(2)}z`;
      paths.set(n, (paths.get(n) || '') + part);
    }
    let out = `<text x="4" y="${y + 12}" font-size="13">${escape(title)}</text>`;
    for (const [n, path] of paths) out += `<path fill="${n === null ? coopc.token('--empty') : this.data.palette(n)}" d="${path}"/>`;
    const put = (x, at, s, anchor, fill) => { out += `<text x="${+x.toFixed(2)}" y="${+at.toFixed(2)}" text-anchor="${anchor}" fill="${fill}">${escape(s)}</text>`; };
    const ink = coopc.token('--ink');
    const faint = coopc.token('--faint');
    if (this.texts) {
      for (let i = 0; i < rows * columns; ++i) put(this.left + (i % columns + 0.5) * w, top + (Math.floor(i / columns) + 0.5) * h + 4, text(i), 'middle', ink);
    }
    const every = (size, least) => { let n = 1; while (n * size < least) n *= 2; return n; };
    for (let i = 0; i < columns; i += every(w, 26)) put(this.left + (i + 0.5) * w, top - 6, this.data.columnLabel ? this.data.columnLabel(i) : String(i), 'middle', faint);
    for (let r = 0; r < rows; r += every(h, 12)) put(this.left - 6, top + (r + 0.5) * h + 4, this.data.rowLabel ? this.data.rowLabel(r) : String(r), 'end', faint);
    for (const cell of this.marked) {
      out += `<rect x="${+(this.left + (cell % columns) * w).toFixed(2)}" y="${+(top + Math.floor(cell / columns) * h).toFixed(2)}" width="${+(w - 1).toFixed(2)}" height="${+(h - 1).toFixed(2)}" fill="none" stroke="${coopc.token('--accent')}" stroke-width="1.5"/>`;
    }
    return {text: out, width: this.left + w * columns + 8, height: 16 + this.top + h * rows + 16};
  }
};
