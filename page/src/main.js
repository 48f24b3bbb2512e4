'use strict';
// Tabs, the state in the address, colors, and exports: links and pictures.
(() => {
  const views = {};
  let current = null;
  let restoring = false;

  // The state of the current tab, in the part of the address that is not sent to servers.
  function remember() {
    if (restoring || !current) return;
    const text = new URLSearchParams([['tab', current.tab.id], ...current.state()]).toString();
    try {
      history.replaceState(null, '', `#${text}`);
    } catch {
      location.hash = text;  // for pages opened as files, which may not call replaceState()
    }
  }

  function open(id, parameters) {
    const tab = coopc.tabs.find((candidate) => candidate.id === id) || coopc.tabs[0];
    if (!views[tab.id]) views[tab.id] = tab.make ? tab.make(remember) : new coopc.View(tab, remember);
    restoring = true;
    current = views[tab.id];
    coopc.current = current;
    document.getElementById('panel').replaceChildren(current.element);
    for (const button of document.querySelectorAll('#tabs [role=tab]')) {
      button.setAttribute('aria-selected', String(button.id === `tab-${tab.id}`));
      button.tabIndex = button.id === `tab-${tab.id}` ? 0 : -1;
    }
    document.getElementById('panel').setAttribute('aria-labelledby', `tab-${tab.id}`);
    for (const name of ['svg', 'png']) document.getElementById(`export-${name}`).hidden = !current.shownGrids;
    if (parameters) current.restore(parameters);
    else if (!current.started) current.restore(new URLSearchParams());
    current.started = true;
    restoring = false;
    current.redraw();
    remember();
  }

  // For links from one tab to another: opens a tab and returns its view.
  coopc.openTab = (id) => {
    open(id);
    document.getElementById(`tab-${id}`).focus();
    scrollTo(0, 0);
    return current;
  };

  function fromAddress() {
    const parameters = new URLSearchParams(location.hash.slice(1));
    const id = parameters.get('tab');
    parameters.delete('tab');
    open(id, parameters);
  }

  function makeTabs() {
    const bar = document.getElementById('tabs');
    document.getElementById('panel').setAttribute('role', 'tabpanel');
    for (const tab of coopc.tabs) {
      bar.append(coopc.h('button', {type: 'button', role: 'tab', id: `tab-${tab.id}`, 'aria-controls': 'panel', onclick: () => open(tab.id)}, tab.label));
    }
    bar.addEventListener('keydown', (event) => {
      const step = {ArrowRight: 1, ArrowLeft: -1}[event.key];
      if (!step) return;
      const at = coopc.tabs.findIndex((tab) => current.tab.id === tab.id);
      const next = coopc.tabs[(at + step + coopc.tabs.length) % coopc.tabs.length];
      open(next.id);
      document.getElementById(`tab-${next.id}`).focus();
    });
  }

  // Light, dark, or like the system.
  function makeTheme() {
    const button = document.getElementById('theme');
    const names = ['auto', 'light', 'dark'];
    const labels = {auto: ['Auto', 'Colors: as the system'], light: ['Light', 'Colors: light'], dark: ['Dark', 'Colors: dark']};
    let name = 'auto';
    try { name = localStorage.getItem('coopc-theme') || 'auto'; } catch { /* a page from a file may have no storage */ }
    const apply = () => {
      if (name === 'auto') delete document.documentElement.dataset.theme;
      else document.documentElement.dataset.theme = name;
      [button.textContent] = labels[name];
      button.setAttribute('aria-label', labels[name][1]);
      if (current) current.redraw();
    };
    button.addEventListener('click', () => {
      name = names[(names.indexOf(name) + 1) % names.length];
      try { localStorage.setItem('coopc-theme', name); } catch { /* likewise */ }
      apply();
    });
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', apply);
    apply();
  }

  function save(name, url) {
    coopc.h('a', {href: url, download: name}).click();
  }

  // All pictures of the tab, one below the other.
  function svg() {
    let y = 8;
    let width = 0;
    let body = '';
    for (const grid of current.shownGrids()) {
      const part = grid.svg(y);
      body += part.text;
      y += part.height;
      width = Math.max(width, part.width);
    }
    const size = `width="${Math.ceil(width)}" height="${Math.ceil(y)}"`;
    return {width, height: y, text: `<svg xmlns="http://www.w3.org/2000/svg" ${size} viewBox="0 0 ${Math.ceil(width)} ${Math.ceil(y)}" font-family="ui-monospace, monospace" font-size="11" fill="${coopc.token('--ink')}"><rect width="100%" height="100%" fill="${coopc.token('--paper')}"/>${body}</svg>\n`};
  }

  function makeExports() {
    document.getElementById('copy-link').addEventListener('click', () => { remember(); coopc.copy(location.href); });
    document.getElementById('export-svg').addEventListener('click', () => save(`${current.tab.id}.svg`, URL.createObjectURL(new Blob([svg().text], {type: 'image/svg+xml'}))));
    document.getElementById('export-png').addEventListener('click', () => {
      const picture = svg();
      const image = new Image();
      image.onload = () => {
        const scale = Math.min(2, 8000 / Math.max(picture.width, picture.height));
        const canvas = coopc.h('canvas', {width: Math.ceil(picture.width * scale), height: Math.ceil(picture.height * scale)});
        const c = canvas.getContext('2d');
        c.scale(scale, scale);
        c.drawImage(image, 0, 0);
        save(`${current.tab.id}.png`, canvas.toDataURL('image/png'));
      };
      image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(picture.text)}`;
    });
  }

  async function start() {
    makeTabs();
    makeExports();
    makeTheme();
    try {
      await coopc.layout.start();
    } catch (failure) {
      document.getElementById('panel').replaceChildren(coopc.h('p', {class: 'refusal', role: 'alert'}, `The calculations could not be loaded: ${failure.message}`));
      return;
    }
    fromAddress();
    addEventListener('hashchange', fromAddress);
    document.documentElement.dataset.ready = 'yes';
  }
  start();
})();
