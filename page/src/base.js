'use strict';
// Helpers that all parts of the page share: elements, colors, texts.
var coopc = coopc || {};

// h('p', {class: 'x', onclick: f}, 'text', child): creates an element.
coopc.h = (name, attributes, ...children) => {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith('on')) element.addEventListener(key.slice(2), value);
    else if (key in element && typeof value !== 'string') element[key] = value;
    else element.setAttribute(key, value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
};

// Whether the page is dark now.
coopc.dark = () => {
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
};

// Colors of categories: hues by the golden angle, which distinguishes neighboring numbers, in three
// lightnesses.
coopc.categoryColor = (n) => {
  const hue = (n * 137.508 + 205) % 360;
  const step = Math.floor(n / 8) % 3;
  return coopc.dark() ? `hsl(${hue.toFixed(0)} 34% ${28 + step * 5}%)` : `hsl(${hue.toFixed(0)} 58% ${84 - step * 8}%)`;
};

// Colors of an order, `part` from 0 to 1: from light to deep blue (from deep to light if the page is dark).
coopc.orderColor = (part) => {
  const hue = 190 + part * 55;
  return coopc.dark() ? `hsl(${hue.toFixed(0)} ${(28 + part * 22).toFixed(0)}% ${(20 + part * 30).toFixed(0)}%)`
                      : `hsl(${hue.toFixed(0)} ${(45 + part * 20).toFixed(0)}% ${(94 - part * 34).toFixed(0)}%)`;
};

coopc.token = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

// Numbers in a text such as "(10, 12)" or "10, 12 x 4".
coopc.numbers = (text) => (String(text).match(/-?\d+/g) || []).map(Number);

// Tells users of screen readers what has changed.
coopc.say = (text) => { document.getElementById('status').textContent = text; };

coopc.copy = async (text) => {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = coopc.h('textarea', {class: 'visually-hidden'});
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand('copy');
    area.remove();
  }
  coopc.say('Copied');
};

coopc.plural = (n, one, many) => `${n} ${n === 1 ? one : many || one + 's'}`;

// Scripts that the page loads when they are needed.
coopc.loadScript = (name) => new Promise((resolve, reject) => {
  document.head.append(coopc.h('script', {src: name, onload: resolve, onerror: () => reject(new Error(`${name} cannot be loaded`))}));
});
