'use strict';
// Clicks and types through the page in Chromium, opened as files and, once, from a server on the loopback
// address. Screenshots go to $COOPC_PAGE_SEEN. Those that have a reference in pictures/ are compared with it
// (pictures.txt says what was checked on each). COOPC_PAGE_UPDATE=1 rewrites the references.
const assert = require('node:assert');
const {execFileSync} = require('node:child_process');
const fs = require('node:fs');
const http = require('node:http');
const path = require('node:path');
const {after, before, test} = require('node:test');
const zlib = require('node:zlib');

const site = process.env.COOPC_PAGE_SITE;
const seen = process.env.COOPC_PAGE_SEEN;
const {chromium} = require(process.env.COOPC_PLAYWRIGHT);
const pictures = path.join(__dirname, 'pictures');
const sentences = new Map(fs.readFileSync(path.join(__dirname, 'pictures.txt'), 'utf8').split('\n')
  .filter((line) => line !== '' && !line.startsWith('#')).map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]));

let browser;
let compared = 0;

before(async () => {
  fs.mkdirSync(seen, {recursive: true});
  browser = await chromium.launch({executablePath: process.env.COOPC_CHROMIUM, args: ['--no-sandbox', '--disable-dev-shm-usage']});
});
after(async () => {
  await browser.close();
  assert.strictEqual(compared, sentences.size, 'each reference picture is compared once');
});

// Opens the page. Any script error fails the test, and so does any request that is not for a file (or, if a
// server has the page, for a file of that server).
async function open(hash = '', options = {}, from = `file://${site}/`) {
  const context = await browser.newContext({viewport: {width: 1440, height: 900}, acceptDownloads: true, ...options});
  const page = await context.newPage();
  page.faults = [];
  page.on('pageerror', (error) => page.faults.push(String(error)));
  page.on('console', (message) => { if (message.type() === 'error') page.faults.push(message.text()); });
  page.on('request', (request) => { if (!/^(data|blob):/.test(request.url()) && !request.url().startsWith(from)) page.faults.push(`asks for ${request.url()}`); });
  await page.goto(`${from}index.html${hash}`);
  await page.waitForSelector('html[data-ready=yes]');
  return page;
}
async function done(page) {
  assert.deepStrictEqual(page.faults, []);
  await page.context().close();
}

// The middle of a picture's cell on the screen.
const cellAt = (page, grid, row, column) => page.evaluate(([key, r, c]) => {
  const g = coopc.current.grids[key];
  g.canvas.scrollIntoView({block: 'center'});
  const box = g.canvas.getBoundingClientRect();
  return [box.left + g.left + (c + 0.5) * g.cellWidth, box.top + g.top + (r + 0.5) * g.cellHeight];
}, [grid, row, column]);
const hover = async (page, ...cell) => page.mouse.move(...(await cellAt(page, ...cell)));
const click = async (page, ...cell) => page.mouse.click(...(await cellAt(page, ...cell)));
const cellText = (page, grid, row, column) => page.evaluate(([key, r, c]) => { const d = coopc.current.grids[key].data; return d.text(r * d.columns + c); }, [grid, row, column]);
const marked = (page, grid) => page.evaluate((key) => coopc.current.grids[key].marked.size, grid);
const inspector = (page) => page.innerText('.inspector-body');
const fact = (page, name) => page.evaluate((wanted) => {
  const names = [...document.querySelectorAll('.about dt')];
  const found = names.find((dt) => dt.textContent === wanted);
  return found ? found.nextElementSibling.textContent : null;
}, name);

// Types GLSL, or its other inputs, into the tab for tensor addressing, and waits for the compiler.
const pasted = (page) => page.waitForSelector('.import[data-state=done]', {state: 'attached'});
async function paste(page, field, text) {
  await page.fill(field, text);
  await pasted(page);
}

// By keyboard alone: presses Tab until the focused element matches.
async function tabTo(page, selector) {
  for (let i = 0; i < 150; ++i) {
    await page.keyboard.press('Tab');
    if (await page.evaluate((wanted) => document.activeElement.matches(wanted), selector)) return;
  }
  assert.fail(`Tab does not reach ${selector}`);
}
// Types into the focused field, replacing its contents.
async function retype(page, text) {
  await page.keyboard.press('Control+A');
  await page.keyboard.type(text);
}
const gridOf = (name) => `canvas[aria-label^="${name},"]`;

// The picture differs if more than one pixel in 200 differs by more than 24 of 255.
async function compare(page, name) {
  const file = path.join(seen, `${name}.png`);
  await page.mouse.move(0, 0);
  await page.screenshot({path: file});
  assert.ok(sentences.get(name), `pictures.txt says what was checked on ${name}`);
  ++compared;
  const reference = path.join(pictures, `${name}.png`);
  if (process.env.COOPC_PAGE_UPDATE) { fs.copyFileSync(file, reference); return; }
  const images = [file, reference].map((image) => `data:image/png;base64,${fs.readFileSync(image).toString('base64')}`);
  const other = await page.evaluate(async ([a, b]) => {
    const pixels = async (source) => {
      const image = new Image();
      image.src = source;
      await image.decode();
      const canvas = document.createElement('canvas');
      [canvas.width, canvas.height] = [image.width, image.height];
      const c = canvas.getContext('2d');
      c.drawImage(image, 0, 0);
      return c.getImageData(0, 0, image.width, image.height);
    };
    const [x, y] = [await pixels(a), await pixels(b)];
    if (x.width !== y.width || x.height !== y.height) return 1;
    let different = 0;
    for (let i = 0; i < x.data.length; i += 4) {
      if ([0, 1, 2].some((k) => Math.abs(x.data[i + k] - y.data[i + k]) > 24)) ++different;
    }
    return different / (x.width * x.height);
  }, images);
  assert.ok(other < 0.005, `${name} differs from its reference in ${(other * 100).toFixed(2)} % of its pixels: see ${file}`);
}

test('the chain of an element: hover, and by keyboard alone', async () => {
  const page = await open();
  await hover(page, 'matrix', 5, 4);
  const chain = await inspector(page);
  for (const part of ['Element (5, 4)', 'invocation 5, component 1', '(3, 10)', '92 (0x5c)', 'plus the offsets (-2, 6): (3, 10)', 'times the strides (12, 1): index 46']) {
    assert.ok(chain.includes(part), `${part} in ${chain}`);
  }
  await compare(page, 'tensor-slice');
  await page.focus('#tab-tensor');
  // From the tabs to the picture by Tab, past the controls.
  for (let i = 0; i < 60 && !(await page.evaluate(() => document.activeElement.tagName === 'CANVAS')); ++i) await page.keyboard.press('Tab');
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowRight', 'Enter']) await page.keyboard.press(key);
  assert.ok((await inspector(page)).startsWith('Element (2, 1)'), await inspector(page));
  assert.ok((await page.evaluate(() => location.href)).includes('sel=cell.matrix.17'));
  await page.keyboard.press('Escape');
  assert.ok((await inspector(page)).startsWith('Point at a cell'));
  await done(page);
});

test('an invocation: all that it holds; an address: who reads it, and its bank', async () => {
  const page = await open();
  await click(page, 'matrix', 5, 4);
  await page.click('text=all of invocation 5');
  assert.ok((await inspector(page)).startsWith('Invocation 5'));
  assert.strictEqual(await marked(page, 'matrix'), 2);
  await page.click('text=(5, 4)');
  await page.click('text=who uses byte 92');
  const address = await inspector(page);
  for (const part of ['Address 92', 'bank\n23', 'element (5, 4)', 'invocation 5']) assert.ok(address.includes(part), address);
  assert.strictEqual(await marked(page, 'memory'), 1);
  // A memory cell leads back to the matrix.
  await click(page, 'memory', 1, 4);
  assert.ok((await inspector(page)).includes('element (7, 2)'));
  assert.strictEqual(await marked(page, 'matrix'), 1);
  await done(page);
});

test('clamp mode, clip, view and subgroup size change what is seen at once', async () => {
  const page = await open();
  assert.strictEqual(await cellText(page, 'matrix', 0, 0), 'c');
  await page.selectOption('#field-clamp', '3');
  assert.strictEqual(await cellText(page, 'matrix', 0, 0), String(8 * 12 + 6));
  await page.selectOption('#field-clamp', '4');
  assert.strictEqual(await cellText(page, 'matrix', 0, 0), String(2 * 12 + 6));
  await page.selectOption('#field-access', 'store');
  assert.strictEqual(await cellText(page, 'matrix', 0, 0), 'x');
  await page.fill('#field-clip', '2, 4, 1, 6');
  assert.strictEqual(await cellText(page, 'matrix', 0, 0), '.');
  await page.fill('#field-clip', '');
  await page.fill('#field-offset', '');
  await page.fill('#field-span', '8, 8');
  assert.strictEqual(await cellText(page, 'matrix', 2, 1), '25');
  await page.selectOption('#field-view', 'permute');
  await page.fill('#field-perm', '1, 0');
  assert.strictEqual(await cellText(page, 'matrix', 2, 1), '14');
  assert.ok((await fact(page, 'work-items')).startsWith('32,'));
  await page.selectOption('#field-items', '8');
  assert.ok((await fact(page, 'work-items')).startsWith('8, with 8'));
  // A wrong number is reported, and the picture stays.
  await page.fill('#field-perm', '1, 7');
  assert.ok((await page.innerText('.refusal')).includes('permutation'));
  assert.strictEqual(await cellText(page, 'matrix', 2, 1), '14');
  await done(page);
});

test('the state is in the address, and comes back from it', async () => {
  const page = await open();
  await page.selectOption('#tensor-preset', {label: 'Repeat'});
  await click(page, 'matrix', 1, 2);
  const address = await page.evaluate(() => location.href);  // page.url() may be older than the click
  const text = await cellText(page, 'matrix', 1, 2);
  const again = await open(address.slice(address.indexOf('#')));
  assert.strictEqual(await cellText(again, 'matrix', 1, 2), text);
  assert.ok((await inspector(again)).startsWith('Element (1, 2)'));
  assert.strictEqual(await again.inputValue('#field-clamp'), '3');
  await done(again);
  await done(page);
});

test('GLSL and whole shaders are read; mistakes have line and column', async () => {
  const page = await open();
  await page.click('text=From GLSL or a shader');
  await paste(page, '#tensor-source', 'tensorLayoutNV<2> t = createTensorLayoutNV(2);\nt = setTensorLayoutDimensionNV(t, 100, M);\n');
  assert.ok((await page.innerText('.import')).startsWith("2:40: 'M' has no value"), await page.innerText('.import'));
  await paste(page, '#tensor-names', 'M=50');
  await paste(page, '#tensor-source', 'tensorLayoutNV<2> t = createTensorLayoutNV(2);\nt = setTensorLayoutDimensionNV(t, 100, M);\ncoopmat<float16_t, gl_ScopeSubgroup, 16, 8, gl_MatrixUseA> m;\ncoopMatLoadTensorNV(m, data, 0, sliceTensorLayoutNV(t, 10, 16, 20, 8));');
  assert.strictEqual(await page.inputValue('#field-dim'), '100, 50');
  assert.strictEqual(await page.inputValue('#field-rows'), '16');
  assert.strictEqual(await cellText(page, 'matrix', 1, 1), String(11 * 50 + 21));
  await paste(page, '#tensor-source', `void main() {\n  tensorLayoutNV<2> t = createTensorLayoutNV(2);\n  t = setTensorLayoutDimensionNV(t, 64, 64);\n  coopmat<float16_t, gl_ScopeSubgroup, 8, 8, gl_MatrixUseA> m;\n  coopMatLoadTensorNV(m, a, 0, sliceTensorLayoutNV(t, 0, 8, 0, 8));\n  coopMatStoreTensorNV(m, a, 0, sliceTensorLayoutNV(t, 8, 8, 8, 8));\n}\n`);
  assert.strictEqual(await cellText(page, 'matrix', 0, 0), '0');
  await paste(page, '#tensor-which', '1');
  assert.strictEqual(await cellText(page, 'matrix', 0, 0), String(8 * 64 + 8));
  assert.strictEqual(await page.inputValue('#field-access'), 'store');
  // A plain load becomes the equivalent tensor load, with its element offset.
  await paste(page, '#tensor-which', '');
  await paste(page, '#tensor-source', 'shared uvec4 tile[24];\ncoopmat<float16_t, gl_ScopeSubgroup, 8, 16, gl_MatrixUseB> m;\ncoopMatLoad(m, tile, 6, 3, gl_CooperativeMatrixLayoutColumnMajor);');
  assert.ok((await page.innerText('.import')).startsWith('Read'), await page.innerText('.import'));
  assert.strictEqual(await page.inputValue('#field-base'), '48');
  await page.selectOption('#field-table', 'byte');
  assert.strictEqual(await cellText(page, 'matrix', 5, 2), String((6 + 2 * 3) * 16 + 5 * 2));
  // A sample whose types and sizes are macros: row 32 of A, in rows of 64.
  await paste(page, '#tensor-names', 'k=64 n=48 gl_WorkGroupID.x=1 gl_WorkGroupID.y=2');
  await paste(page, '#tensor-source', shaderOf('gemm_subgroup.comp'));
  assert.strictEqual(await page.inputValue('#field-rows'), '16');
  assert.strictEqual(await cellText(page, 'matrix', 3, 5), String(((32 + 3) * 64 + 5) * 2));
  // The use is taken over as well; it decides which invocation holds which element.
  assert.strictEqual(await page.inputValue('#field-use'), 'a');
  await paste(page, '#tensor-names', '');
  await paste(page, '#tensor-source', 'coopmat<float16_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseB> m;\ncoopMatLoad(m, b, 0, 64, gl_CooperativeMatrixLayoutColumnMajor);');
  assert.strictEqual(await page.inputValue('#field-use'), 'b');
  const native = JSON.parse(execFileSync(process.env.COOPLAYOUT, ['tensor', await page.inputValue('#tensor-source'), '--access', '--format', 'json'], {encoding: 'utf8'})).facts;
  for (const name of ['components moved at once', 'transactions of 32 bytes']) assert.strictEqual(await fact(page, name), native[name]);
  await paste(page, '#tensor-source', 'coopmat<float16_t, gl_ScopeSubgroup, 8, 16, gl_MatrixUseB> m;\ncoopMatStore(m, b, 0, 0, gl_CooperativeMatrixLayoutRowMajor);');
  assert.ok((await page.innerText('.import')).includes('the stride of a store is 0 [strided.store-stride'), await page.innerText('.import'));
  await done(page);
});

test('a mistake in pasted text is in sight, and picture, facts and command of before are gray', async () => {
  const gray = (page) => page.evaluate(() => ['.pictures', '.inspector', '.command code'].map((name) =>
    document.querySelector(`.view ${name}`).classList.contains('stale')));
  for (const viewport of [{width: 1440, height: 900}, {width: 390, height: 844}]) {
    const page = await open('', {viewport});
    await page.click('text=From GLSL or a shader');
    await page.locator('#tensor-source').scrollIntoViewIfNeeded();
    await paste(page, '#tensor-source', 'tensorLayoutNV<2> t = createTensorLayoutNV(2);\nt = setTensorLayoutDimensionNV(t, 100, M);\n');
    const sight = await page.evaluate(() => [...document.querySelectorAll('.refusal, .import')].map((e) => [e.textContent, e.getBoundingClientRect().top >= 0 && e.getBoundingClientRect().bottom <= innerHeight]));
    assert.ok(sight.some(([text, seen]) => seen && text.includes("'M' has no value")), JSON.stringify(sight));
    assert.ok((await page.innerText('.refusal')).startsWith("The pasted text: 2:40: 'M' has no value"));
    assert.deepStrictEqual(await gray(page), [true, true, true]);
    // A corrected text has no message, and neither has an empty one.
    await paste(page, '#tensor-names', 'M=50');
    assert.strictEqual(await page.locator('.refusal:visible').count(), 0);
    assert.deepStrictEqual(await gray(page), [false, false, false]);
    await paste(page, '#tensor-source', 'x');
    assert.deepStrictEqual(await gray(page), [true, true, true]);
    await paste(page, '#tensor-source', '');
    assert.deepStrictEqual(await gray(page), [false, false, false]);
    await done(page);
  }
});

test('work-items: both directions, the padding, and the refusal of a scheme', async () => {
  const page = await open('#tab=workitems');
  await page.selectOption('#workitems-preset', {label: '4 x 15 over 16: padding'});
  await hover(page, 'matrix', 2, 9);
  const owner = await inspector(page);
  for (const part of ['Element (2, 9)', 'work-item\n6', 'component\n2']) assert.ok(owner.includes(part), owner);
  await click(page, 'items', 2, 6);
  assert.ok((await inspector(page)).includes('element\n(2, 9)'));
  await page.click('text=all of work-item 6');
  assert.strictEqual(await marked(page, 'matrix'), 4);
  await compare(page, 'workitems-padding');
  await hover(page, 'items', 3, 15);
  assert.ok((await inspector(page)).includes('no: padding'), await inspector(page));
  await page.fill('#field-rows', '24');
  await page.selectOption('#field-scheme', 'tinytc-newer');
  assert.ok((await page.innerText('.refusal')).includes('workitem.rows-power-of-two'));
  await done(page);
});

test('shared memory: before and after the swizzle side by side, and the conflicts of both', async () => {
  const page = await open('#tab=smem', {viewport: {width: 1600, height: 900}});
  const left = await page.locator('canvas').nth(0).boundingBox();
  const right = await page.locator('canvas').nth(1).boundingBox();
  assert.ok(left.x + left.width <= right.x && Math.abs(left.y - right.y) < 1, 'side by side');
  const notes = await page.locator('.grid .note').allInnerTexts();
  assert.ok(notes[2].includes('conflict-free: no, 32 accesses in 32 passes instead of 4') && notes[3].includes('conflict-free: yes, 32 accesses in 4 passes'), notes.join('\n'));
  // The title of each picture names its side.
  const titles = await page.locator('.grid h3').allInnerTexts();
  assert.deepStrictEqual(titles, ['Matrix, without the swizzle', 'Matrix, with the swizzle', 'Banks, without the swizzle', 'Banks, with the swizzle']);
  await click(page, 'after', 3, 9);
  const chain = await inspector(page);
  for (const part of ['byte\n418', 'swizzle: bits 7 to 9 are 3', 'read by\nwork-item 11']) assert.ok(chain.includes(part), chain);
  await page.click('text=all of work-item 11');
  assert.strictEqual(await marked(page, 'before'), 8);
  assert.strictEqual(await marked(page, 'banksAfter'), 4);
  await compare(page, 'smem-swizzle');
  await page.selectOption('#field-along', 'row');
  assert.ok((await page.locator('.grid .note').nth(2).innerText()).includes('4 passes'));
  await page.selectOption('#field-swizzle', '0');
  assert.ok((await fact(page, 'canonical')).includes('swizzle none'));
  assert.strictEqual(await page.locator('canvas:visible').count(), 2);
  await page.selectOption('#smem-preset', {label: 'The misprinted example'});
  assert.strictEqual(await fact(page, 'different addresses'), '136 of 256');
  assert.ok((await fact(page, 'canonical')).startsWith('K-major, swizzle 32 bytes'));
  assert.ok((await fact(page, 'finding')).includes('rows overlap'));
  await page.click('text=Decode a descriptor');
  await page.fill('#descriptor-bits', '0x4000004000010000');
  assert.ok((await page.innerText('.controls')).includes('1024'));
  await done(page);
});

test('shared memory: a whole layout is seen where it is typed', async () => {
  const page = await open('#tab=smem');
  await page.selectOption('#field-from', 'notation');
  for (const layout of ['Swizzle<3,4,3> o ((8,2),(8,2)):((64,512),(1,8))', '(8,8):(8,1)', 'Swizzle<1,4,3> o ((8,2,2),(8,2)):((1,8,128),(16,256))']) {
    await page.fill('#field-layout', layout);
    const [wide, high] = await page.$eval('#field-layout', (e) => [e.scrollWidth <= e.clientWidth, e.scrollHeight <= e.clientHeight]);
    assert.ok(wide && high, `${layout} is cut off`);
    assert.ok((await page.innerText('.controls')).length > 0);
    assert.ok((await fact(page, 'layout')).endsWith(layout.replace(/^Swizzle<\d,\d,\d> o /, '')));
  }
  // Pasted text becomes one line, whatever it was.
  await page.fill('#field-layout', '(8,8):\n(8,1)');
  assert.strictEqual(await fact(page, 'layout'), '(8,8):(8,1)');
  // The state goes into the link, and back.
  const address = await page.evaluate(() => location.href);
  const again = await open(address.slice(address.indexOf('#')));
  assert.strictEqual(await again.inputValue('#field-layout'), '(8,8): (8,1)');
  await done(again);
  await done(page);
});

test('devices: the map that ships, one of a file, and a file that is none', async () => {
  const page = await open('#tab=devices');
  assert.strictEqual(await cellText(page, 'matrix', 3, 2), '2.3');
  const own = path.join(seen, 'own.txt');
  fs.writeFileSync(own, 'device D\ndriver V\nverified by hand\nmatrix f16 a subgroup 2 2 2\n0.0 1.0\n0.1,1.2 1.1\n');
  await page.setInputFiles('#device-file', own);
  await page.waitForFunction(() => coopc.current.grids.matrix.data.rows === 2);
  await click(page, 'matrix', 1, 0);
  assert.ok((await inspector(page)).includes('invocation 1, component 2'));
  fs.writeFileSync(own, 'device D\nmatrix f16 a subgroup 2 2 2\n0.0 1.0\n');
  await page.setInputFiles('#device-file', own);
  await page.waitForSelector('.refusal:not([hidden])');
  await done(page);
});

test('pictures leave the page as SVG and PNG', async () => {
  const page = await open();
  const take = async (button) => {
    const [download] = await Promise.all([page.waitForEvent('download'), page.click(button)]);
    const file = path.join(seen, download.suggestedFilename());
    await download.saveAs(file);
    return fs.readFileSync(file);
  };
  const svg = String(await take('#export-svg'));
  assert.ok(svg.startsWith('<svg ') && svg.includes('>Matrix<') && svg.includes('>Memory<') && svg.includes('>46<'));
  const wellFormed = await page.evaluate((text) => new DOMParser().parseFromString(text, 'image/svg+xml').querySelector('parsererror') === null, svg);
  assert.ok(wellFormed);
  const png = await take('#export-png');
  assert.strictEqual(png.subarray(1, 4).toString(), 'PNG');
  assert.ok(png.readUInt32BE(16) > 600);
  await done(page);
});

test('a telephone: nothing is wider than the screen, and all tabs work', async () => {
  const page = await open('', {viewport: {width: 390, height: 844}, hasTouch: true, isMobile: true});
  for (const tab of await page.locator('[role=tab]').all()) {
    await tab.click();
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(width <= 390, `${await tab.innerText()} is ${width} wide`);
  }
  // All tabs are visible.
  const size = page.viewportSize();
  for (const tab of await page.locator('[role=tab]').all()) {
    const box = await tab.boundingBox();
    assert.ok(box.x >= 0 && box.x + box.width <= size.width && box.y + box.height < 200, `${await tab.innerText()} at ${JSON.stringify(box)}`);
  }
  // The controls are above the pictures. Each group is closed to a line that says what it contains, and the
  // first picture begins on the first screen.
  for (const [tab, group, holds] of [['tensor', 'Matrix', '8, 8, f16, load'], ['workitems', 'Work-items', '32, any rows (lowering)'], ['smem', 'Access', '16, down columns']]) {
    await page.click(`#tab-${tab}`);
    await page.evaluate(() => scrollTo(0, 0));
    const controls = await page.locator('.controls').boundingBox();
    const picture = await page.locator('.grid').first().boundingBox();
    assert.ok(controls.y + controls.height <= picture.y, 'controls above');
    assert.ok(picture.y < size.height - 100, `${tab}: the picture begins at ${picture.y}`);
    const summary = page.locator('.group > summary', {hasText: group}).first();
    assert.strictEqual((await summary.innerText()).replace(/\s+/g, ' '), `${group} ${holds}`);
    await summary.tap();
    assert.ok(await page.locator('.group[open]').count() === 1);
    await summary.tap();
  }
  await page.click('#tab-workitems');
  await page.touchscreen.tap(...(await cellAt(page, 'matrix', 1, 1)));
  assert.ok((await inspector(page)).includes('Element (1, 1)'));
  await page.click('#tab-tensor');
  await page.evaluate(() => scrollTo(0, 0));
  await compare(page, 'phone');
  await done(page);
});

test('light and dark: as the system says, or as the reader does', async () => {
  const page = await open('#tab=workitems', {colorScheme: 'dark'});
  const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  assert.strictEqual(await paper(), 'rgb(20, 23, 26)');
  await compare(page, 'workitems-dark');
  await page.click('#theme');
  assert.strictEqual(await paper(), 'rgb(251, 251, 250)');
  await done(page);
});

test('tabs by arrow keys; every control has a name', async () => {
  const page = await open();
  await page.focus('#tab-tensor');
  for (const id of ['workitems', 'smem', 'devices', 'playground']) {
    await page.keyboard.press('ArrowRight');
    assert.strictEqual(await page.evaluate(() => document.activeElement.id), `tab-${id}`);
    const nameless = await page.evaluate(() => [...document.querySelectorAll('input, select, textarea, button, canvas')]
      .filter((e) => !(e.labels && e.labels.length) && !e.getAttribute('aria-label') && !e.textContent.trim()).map((e) => e.outerHTML));
    assert.deepStrictEqual(nameless, []);
  }
  await done(page);
});

test('every control of every tab is reached by Tab, those in closed parts once these are opened', async () => {
  let controls = 0;
  for (const id of ['tensor', 'workitems', 'smem', 'devices', 'playground']) {
    const page = await open(`#tab=${id}`);
    if (id === 'playground') await compiled(page);
    const reached = new Set();
    await page.evaluate(() => { document.activeElement.blur(); window.numbers = new Map(); });
    for (let i = 0; i < 200; ++i) {
      await page.keyboard.press('Tab');
      const [at, closed] = await page.evaluate(() => {
        const e = document.activeElement;
        if (e === document.body) return [null, false];
        if (!window.numbers.has(e)) window.numbers.set(e, window.numbers.size);
        return [window.numbers.get(e), e.tagName === 'SUMMARY' && !e.parentElement.open];
      });
      if (at === null) break;
      if (reached.has(at)) break;
      reached.add(at);
      if (closed) await page.keyboard.press('Enter');
    }
    // All usable elements. Other tabs are reached by the arrow keys.
    const missing = await page.evaluate(() => [...document.querySelectorAll('a[href], button, input, select, textarea, summary, canvas, [tabindex="0"]')]
      .filter((e) => e.checkVisibility() && !e.disabled && e.getAttribute('role') !== 'tab' && !window.numbers.has(e)).map((e) => e.outerHTML.slice(0, 120)));
    assert.deepStrictEqual(missing, [], id);
    controls += reached.size;
    await done(page);
  }
  assert.ok(controls > 100, `${controls} controls`);
});

test('shared memory by keyboard alone', async () => {
  const page = await open('#tab=smem', {viewport: {width: 1600, height: 900}});
  await page.evaluate(() => document.activeElement.blur());
  // Fields and lists.
  await tabTo(page, '#field-k');
  await retype(page, '2');
  assert.ok((await fact(page, 'elements')).startsWith('8 x 32'));
  await page.focus('#tab-smem');
  await tabTo(page, '#field-swizzle');
  await page.keyboard.press('ArrowUp');
  assert.strictEqual(await page.inputValue('#field-swizzle'), '64');
  assert.ok((await fact(page, 'canonical')).includes('swizzle 64 bytes'));
  await tabTo(page, '#field-along');
  await page.keyboard.type('along');
  assert.strictEqual(await page.inputValue('#field-along'), 'row');
  // A cell, its links, both sides, and clearing the selection.
  await tabTo(page, gridOf('Matrix, with the swizzle'));
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowRight', 'Enter']) await page.keyboard.press(key);
  assert.ok((await inspector(page)).startsWith('Element (2, 1)'), await inspector(page));
  await tabTo(page, '.inspector .chip');
  await page.keyboard.press('Enter');
  assert.ok((await inspector(page)).startsWith('Work-item '), await inspector(page));
  assert.strictEqual(await marked(page, 'before'), 8);
  await page.keyboard.press('Escape');
  assert.strictEqual(await marked(page, 'before'), 0);
  // A word of a bank leads to the work-items that read it.
  await page.focus('#tab-smem');
  await tabTo(page, '.pictures > :last-child canvas');
  for (const key of ['ArrowDown', 'End', 'Enter']) await page.keyboard.press(key);
  assert.ok((await inspector(page)).startsWith('Bank 31, byte 124'), await inspector(page));
  // Sizes.
  await page.focus('#tab-smem');
  await tabTo(page, 'button[aria-label$=": larger"]');
  const width = await page.evaluate(() => document.querySelector('canvas').width);
  await page.keyboard.press('Enter');
  assert.ok(await page.evaluate(() => document.querySelector('canvas').width) > width);
  // A descriptor.
  await page.focus('#tab-smem');
  await tabTo(page, '.panel > summary');
  await page.keyboard.press('Enter');
  await tabTo(page, '#descriptor-bits');
  await page.keyboard.type('0x4010004000010000');
  await tabTo(page, '#descriptor-instruction');
  await page.keyboard.type('0x8000');
  assert.ok((await page.innerText('.controls')).includes('descriptor.absolute-major'));
  // An example, the command line, a picture as a file.
  await page.focus('#tab-smem');
  await tabTo(page, '#smem-preset');
  await page.keyboard.type('The mis');
  assert.strictEqual(await fact(page, 'different addresses'), '136 of 256');
  await tabTo(page, '.command summary');
  await page.keyboard.press('Enter');
  assert.ok((await page.innerText('.command code')).includes('Swizzle<1,4,3>'));
  await page.evaluate(() => document.activeElement.blur());
  await page.focus('#copy-link');
  await tabTo(page, '#export-svg');
  const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')]);
  assert.strictEqual(download.suggestedFilename(), 'smem.svg');
  await done(page);
});

test('devices by keyboard alone', async () => {
  const page = await open('#tab=devices');
  await page.evaluate(() => document.activeElement.blur());
  await tabTo(page, '#field-file');
  await page.keyboard.type('nvidia-mma');
  assert.strictEqual(await fact(page, 'device'), 'NVIDIA H200');
  await tabTo(page, '#field-matrix');
  await page.keyboard.press('ArrowDown');
  assert.strictEqual(await page.inputValue('#field-matrix'), '1');
  await tabTo(page, '#field-colour');
  await page.keyboard.type('comp');
  assert.strictEqual(await page.inputValue('#field-colour'), 'component');
  // From an element to its invocation, and from a component of an invocation to its element.
  await tabTo(page, gridOf('Matrix'));
  for (const key of ['ArrowDown', 'ArrowRight', 'ArrowDown', 'Enter']) await page.keyboard.press(key);
  assert.ok((await inspector(page)).startsWith('Element (1, 1)'), await inspector(page));
  await tabTo(page, '.inspector .chip');
  await page.keyboard.press('Enter');
  assert.ok((await inspector(page)).startsWith('Invocation '));
  assert.ok(await marked(page, 'items') > 1);
  await page.keyboard.press('Escape');
  await page.focus('#tab-devices');
  await tabTo(page, gridOf('Invocations'));
  for (const key of ['ArrowDown', 'ArrowRight', 'Enter']) await page.keyboard.press(key);
  assert.ok((await inspector(page)).startsWith('Invocation 1, component 0'), await inspector(page));
  assert.strictEqual(await marked(page, 'matrix'), 1);
  // A file of the user.
  const own = path.join(seen, 'own_keyboard.txt');
  fs.writeFileSync(own, 'device D\ndriver V\nverified by hand\nmatrix f16 a subgroup 2 2 2\n0.0 1.0\n0.1,1.2 1.1\n');
  // Chromium reports choosers only while something listens, and that takes effect later. So listening begins
  // before a key can open one.
  page.once('filechooser', (chooser) => chooser.setFiles(own));
  await page.focus('#tab-devices');
  await tabTo(page, '#device-file');
  await page.keyboard.press('Space');
  await page.waitForFunction(() => coopc.current.grids.matrix.data.rows === 2);
  assert.strictEqual(await fact(page, 'device'), 'D');
  await done(page);
});

// The playground: the compiler's results for a text.
const compiled = (page) => page.waitForFunction(() => /^(Compiled|\d+ error|The compiler)/.test(document.querySelector('.compile-state').textContent));
async function type(page, text) {
  await page.evaluate(() => { document.querySelector('.compile-state').textContent = ''; });
  await page.fill('#source', text);
  await compiled(page);
}
const shaderOf = (name) => fs.readFileSync(path.join(__dirname, '../../shaders', name), 'utf8');

test('playground: the module that the program writes, and a finding of a rule', async () => {
  const page = await open('#tab=playground');
  await compiled(page);
  const source = await page.inputValue('#source');
  const file = path.join(seen, 'playground.comp');
  for (const text of [source, shaderOf('gemm_workgroup.comp'), shaderOf('load_dequantize.comp')]) {
    if (text !== source) await type(page, text);
    fs.writeFileSync(file, text);
    for (const [level, flag] of ['-O0', '-O', '-Os'].entries()) {
      await page.evaluate(() => { document.querySelector('.compile-state').textContent = ''; });
      await page.selectOption('#level', String((level + 1) % 3));
      await compiled(page);
      await page.evaluate(() => { document.querySelector('.compile-state').textContent = ''; });
      await page.selectOption('#level', String(level));
      await compiled(page);
      const native = execFileSync(process.env.COOPC, ['--target-env=vulkan1.4', flag, '-S', file, '-o', '-'], {encoding: 'utf8'});
      assert.strictEqual((await page.textContent('.assembly')).trim(), native.trim(), flag);
    }
  }
  await type(page, source.replace('(t, 32, 16, 16, 16)', '(t, 120, 16, 16, 16)'));
  assert.strictEqual(await page.innerText('.outcome > h3'), 'Rules: 1 finding');
  const finding = await page.innerText('.outcome .problems');
  assert.ok(finding.includes('slice-outside') && finding.startsWith('14'), finding);
  await done(page);
});

test('playground: reflection is that of the program, and is shown in tables', async () => {
  const page = await open('#tab=playground');
  await compiled(page);
  const file = path.join(seen, 'reflected.comp');
  for (const name of ['gemm_workgroup.comp', 'load_dequantize.comp', 'vector_add.comp']) {
    await type(page, shaderOf(name));
    fs.writeFileSync(file, shaderOf(name));
    const native = JSON.parse(execFileSync(process.env.COOPC, ['--target-env=vulkan1.4', '--reflect', file], {encoding: 'utf8'}));
    assert.deepStrictEqual(JSON.parse(await page.textContent('.reflection-json')), native, name);
  }
  await type(page, shaderOf('gemm_workgroup.comp'));
  const text = await page.innerText('.reflection');
  for (const part of ['compute “main”', '1 (SpecId 3) x 1 x 1', 'Push constants: 52 bytes', 'TILE_M', '128 (SpecId 0) x 128 (SpecId 1) x 32 (SpecId 2)', 'f16, f16, f32, f32', 'workgroup', 'cooperativeMatrixTensorAddressing']) {
    assert.ok(text.includes(part), `${part} in ${text}`);
  }
  await page.evaluate(() => scrollTo(0, 0));
  await assisted(page);
  await compare(page, 'playground-reflection');
  // While the text has errors, the previous results stay, in gray.
  await type(page, 'x');
  assert.ok(await page.locator('.reflection.stale').count());
  await done(page);
});

test('playground: diagnostics under the line as one types', async () => {
  const page = await open('#tab=playground');
  await compiled(page);
  const source = await page.inputValue('#source');
  await type(page, source.replace('setTensorLayoutDimensionNV(t, 128, 64)', 'setTensorLayoutDimensionNV(t, 128)'));
  const under = await page.locator('.under').first();
  const line = source.slice(0, source.indexOf('t = setTensorLayoutDimensionNV')).split('\n').length;
  const at = await under.evaluate((e) => parseInt(e.style.top, 10) / 24 + 1);
  assert.strictEqual(at, line);
  assert.ok((await page.locator('.problems .error').first().innerText()).includes(`${line}:`));
  await assisted(page);
  await compare(page, 'playground-error');
  await page.locator('.problems button').first().click();
  const caret = await page.evaluate(() => { const t = document.querySelector('#source'); return t.value.slice(0, t.selectionStart).split('\n').length; });
  assert.strictEqual(caret, line);
  // When the text is typed letter by letter, the error disappears.
  await type(page, source);
  assert.strictEqual(await page.locator('.under').count(), 0);
  await page.focus('#source');
  await page.keyboard.press('Control+End');
  await page.keyboard.type('int x = y;');
  await page.waitForSelector('.under');
  assert.ok((await page.locator('.under').first().innerText()).includes('`y` is not declared'));
  await done(page);
});

test('playground: two errors on one line are both read, with their suggestions', async () => {
  const page = await open('#tab=playground');
  await compiled(page);
  const source = await page.inputValue('#source');
  await type(page, source.replace('void main() {', 'void main() {\n  uint count = 1, total = 2;\n  uint sum = cuont + totla;'));
  const line = source.slice(0, source.indexOf('void main() {')).split('\n').length + 2;
  const under = page.locator('.under');
  assert.strictEqual(await under.count(), 1);
  assert.strictEqual(await under.first().evaluate((e) => parseInt(e.style.top, 10) / 24 + 1), line);
  const text = await under.first().innerText();
  for (const part of ['`cuont` is not declared', 'did you mean “count”?', '`totla` is not declared', 'did you mean “total”?']) assert.ok(text.includes(part), `${part} in ${text}`);
  // The parts are next to each other, not on top of each other.
  const [first, second] = await page.locator('.under span').all();
  const [a, b] = [await first.boundingBox(), await second.boundingBox()];
  assert.ok(a.x + a.width <= b.x + 1, JSON.stringify([a, b]));
  const list = await page.innerText('.source .problems');
  for (const part of ['did you mean “count”?', 'did you mean “total”?']) assert.ok(list.includes(part), list);
  await done(page);
});

test('playground: each load and store leads to its picture', async () => {
  const page = await open('#tab=playground');
  await compiled(page);
  const source = await page.inputValue('#source');
  const links = page.locator('.accesses .chip');
  assert.deepStrictEqual(await links.allInnerTexts(), ['picture of coopMatLoadTensorNV', 'picture of coopMatStoreTensorNV']);
  const lineOf = (name) => String(source.slice(0, source.indexOf(name)).split('\n').length);
  assert.ok((await page.innerText('.accesses')).includes(lineOf('coopMatStoreTensorNV')));
  await links.nth(1).click();
  await pasted(page);
  assert.strictEqual(await page.getAttribute('#tab-tensor', 'aria-selected'), 'true');
  assert.strictEqual(await page.inputValue('#tensor-source'), source);
  assert.strictEqual(await page.inputValue('#field-access'), 'store');
  assert.strictEqual(await cellText(page, 'matrix', 1, 2), String(1 * 64 + 2));
  await page.click('#tab-playground');
  await links.nth(0).click();
  await pasted(page);
  assert.strictEqual(await page.inputValue('#field-access'), 'load');
  assert.strictEqual(await page.inputValue('#field-use'), 'a');
  assert.strictEqual(await cellText(page, 'matrix', 1, 2), String(33 * 64 + 18));
  // Texts without matrix accesses, and texts that do not compile, have no links. A load that needs values
  // says which.
  await page.click('#tab-playground');
  await type(page, shaderOf('vector_add.comp'));
  assert.strictEqual(await page.locator('.accesses:visible').count(), 0);
  await type(page, shaderOf('gemm_subgroup.comp'));
  await links.first().click();
  await pasted(page);
  assert.ok((await page.innerText('.refusal')).includes('has no value'), await page.innerText('.refusal'));
  await done(page);
});

test('playground by keyboard alone', async () => {
  const page = await open('#tab=playground');
  await compiled(page);
  await page.evaluate(() => document.activeElement.blur());
  const again = async (act) => {
    await page.evaluate(() => { document.querySelector('.compile-state').textContent = ''; });
    await act();
    await compiled(page);
  };
  await tabTo(page, '#sample');
  await again(() => page.keyboard.type('vector'));
  assert.strictEqual(await page.inputValue('#source'), shaderOf('vector_add.comp'));
  await tabTo(page, '#level');
  await again(() => page.keyboard.press('ArrowDown'));
  assert.strictEqual(await page.inputValue('#level'), '1');
  // The editor: typing, and Tab leaves it.
  await tabTo(page, '#source');
  await page.keyboard.press('Control+Home');
  await page.keyboard.press('Control+End');
  await again(() => page.keyboard.type('int x = y;'));
  await tabTo(page, '.problems button');
  await page.keyboard.press('Enter');
  const [focused, line] = await page.evaluate(() => { const t = document.querySelector('#source'); return [document.activeElement.id, t.value.slice(0, t.selectionStart).split('\n').length]; });
  assert.strictEqual(focused, 'source');
  assert.strictEqual(line, shaderOf('vector_add.comp').split('\n').length);
  await page.keyboard.press('Control+End');
  await again(async () => { for (let i = 0; i < 'int x = y;'.length; ++i) await page.keyboard.press('Backspace'); });
  assert.strictEqual(await page.locator('.under').count(), 0);
  // Reflection is closed and opened, the module is scrolled.
  await tabTo(page, '.reflection-part > summary');
  await page.keyboard.press('Enter');
  assert.strictEqual(await page.evaluate(() => document.querySelector('.reflection-part').open), false);
  await page.keyboard.press('Enter');
  await tabTo(page, '.assembly');
  assert.ok((await page.textContent('.assembly')).includes('OpEntryPoint GLCompute'));
  await done(page);
});

// The language server, in the compiler's worker.
const caretBehind = (page, what) => page.evaluate((text) => {
  const area = document.querySelector('#source');
  const at = area.value.indexOf(text) + text.length;
  area.focus();
  area.setSelectionRange(at, at);
}, what);
const assisted = (page) => page.waitForFunction(() => coopc.current.assist && coopc.current.assist.seen === document.querySelector('#source').value);

test('playground: completion, definition and signature by keyboard alone', async () => {
  const page = await open('#tab=playground');
  await compiled(page);
  await assisted(page);
  await caretBehind(page, '32, 16, 16, 16));');
  await page.keyboard.press('Enter');
  await page.keyboard.type('coopMatLo');
  await page.waitForSelector('#choices:not([hidden]) [aria-selected=true]');
  const selected = () => page.evaluate(() => { const id = document.querySelector('#source').getAttribute('aria-activedescendant'); return id && document.getElementById(id).firstChild.textContent; });
  assert.strictEqual(await selected(), 'coopMatLoad');
  assert.ok((await page.innerText('#status')).startsWith('coopMatLoad, '), await page.innerText('#status'));
  // A name with which longer names begin. When it is accepted, there is no new question about it, and the
  // next Enter goes to the text. The colors arrive after an answer to such a question would.
  await page.keyboard.press('Enter');
  await assisted(page);
  assert.ok((await page.inputValue('#source')).includes('\n  coopMatLoad\n'));
  assert.strictEqual(await page.locator('#choices:not([hidden])').count(), 0);
  await page.keyboard.press('Backspace');
  await page.keyboard.type('d');
  await page.waitForSelector('#choices:not([hidden]) [aria-selected=true]');
  await page.keyboard.press('ArrowDown');
  assert.strictEqual(await selected(), 'coopMatLoadTensorNV');
  await page.keyboard.press('Enter');
  assert.strictEqual(await page.locator('#choices:not([hidden])').count(), 0);
  await page.keyboard.type('(');
  await page.waitForSelector('.signature:not([hidden]) b');
  assert.ok((await page.innerText('.signature')).includes('coopMatLoadTensorNV('));
  await page.keyboard.press('Escape');
  assert.strictEqual(await page.locator('.signature:not([hidden])').count(), 0);
  // Typing while the server is asked does not lose the signature.
  await page.evaluate(async () => {
    const answer = coopc.current.assist.help(false);
    document.execCommand('insertText', false, 'm');
    await answer;
  });
  await page.waitForSelector('.signature:not([hidden]) b');
  // An answer is not shown if the focus, the pointer or the caret has moved before it arrives.
  const shown = await page.evaluate(async () => {
    const {assist, text} = coopc.current;
    const after = async (part, asks, goes) => {
      text.focus();
      assist.closeAll();
      const answer = asks();
      goes();
      await answer;
      return !part.hidden;
    };
    const offset = text.value.indexOf('setTensorLayoutDimensionNV') + 3;
    const parts = [[assist.list, () => assist.complete(true), () => text.blur()], [assist.tip, () => assist.about(offset, false), () => assist.leave()],
      [assist.signature, () => assist.help(true), () => text.dispatchEvent(new KeyboardEvent('keydown', {key: 'Home', bubbles: true}))]];
    const found = [];
    for (const [part, asks, goes] of parts) found.push(await after(part, asks, () => {}), await after(part, asks, goes));
    assist.closeAll();
    text.focus();
    return found;
  });
  assert.deepStrictEqual(shown, [true, false, true, false, true, false]);
  for (let i = 0; i < 'coopMatLoadTensorNV(m'.length; ++i) await page.keyboard.press('Backspace');
  // Completion requested without a letter. Esc closes it, and Tab then leaves the text.
  await page.keyboard.press('Control+Space');
  await page.waitForSelector('#choices:not([hidden])');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Tab');
  assert.notStrictEqual(await page.evaluate(() => document.activeElement.id), 'source');
  await caretBehind(page, '  t = setTensorLayoutDimensionNV(t');
  await page.keyboard.press('F12');
  await page.waitForFunction(() => { const t = document.querySelector('#source'); return t.value.slice(0, t.selectionStart).endsWith('tensorLayoutNV<2> ') && t.selectionEnd === t.selectionStart + 1; });
  // The tooltip has the focus, so that keys scroll it. Esc returns to the text, and leaving the tooltip
  // closes it.
  await caretBehind(page, 'setTensorLayout');
  for (const key of ['Escape', 'Shift+Tab']) {
    await page.focus('#source');
    await page.keyboard.press('Alt+F1');
    await page.waitForSelector('.tip:focus');
    await page.keyboard.press(key);
    assert.strictEqual(await page.locator('.tip:not([hidden])').count(), 0);
    if (key === 'Escape') assert.strictEqual(await page.evaluate(() => document.activeElement.id), 'source');
  }
  await done(page);
});

test('playground: hover shows the picture of a load, colors are those of the server, and fixes mend the text', async () => {
  const page = await open('#tab=playground');
  await compiled(page);
  await assisted(page);
  const words = await page.evaluate(() => Object.fromEntries([...document.querySelectorAll('.back span')].map((span) => [span.textContent, span.className])));
  assert.deepStrictEqual(['main', 'a', '128', 'void'].map((word) => words[word]), ['function', 'property', 'number', 'keyword']);
  const at = await page.evaluate(() => { const {assist, text} = coopc.current; return assist.screenOf(text.value.indexOf('coopMatLoadTensorNV') + 3); });
  await page.mouse.move(at.x + 2, at.y + 12);
  await page.waitForSelector('.tip:not([hidden]) img');
  const tip = await page.innerText('.tip');
  for (const part of ['coopMatLoadTensorNV(', 'dimensions: ', 'spans: ']) assert.ok(tip.includes(part), tip);
  assert.ok(await page.evaluate(() => document.querySelector('.tip img').naturalWidth > 100));
  await page.keyboard.press('Escape');
  const source = await page.inputValue('#source');
  await type(page, source.replace('16));', '16))'));
  await page.waitForSelector('.problems .fix');
  assert.strictEqual(await page.innerText('.problems .fix'), 'Insert `;`');
  // If another compile comes in between, the list that is shown has the button only once. Two clicks apply
  // the fix once.
  await page.evaluate(async () => {
    const {assist} = coopc.current;
    assist.refresh = async (text) => {
      delete assist.refresh;
      await coopc.current.compile();
      await assist.refresh(text);
    };
    await coopc.current.compile();
  });
  assert.strictEqual(await page.locator('.problems .fix').count(), 1);
  await page.dblclick('.problems .fix');
  assert.strictEqual(await page.inputValue('#source'), source);
  // By keyboard, at the line of the caret.
  await type(page, source.replace('16));', '16))'));
  await caretBehind(page, '16))');
  await page.keyboard.press('Control+.');
  await page.waitForSelector('#choices:not([hidden])');
  await page.keyboard.press('Enter');
  await page.waitForFunction((text) => document.querySelector('#source').value === text, source);
  // When a worker ends, its server ends too. The next server gets the text.
  await page.evaluate(async () => coopc.compiler.compile('/'.repeat(300e6), 0));
  assert.ok(await page.evaluate(async () => (await coopc.current.assist.ask('hover', coopc.current.assist.at(coopc.current.text.value.indexOf('setTensorLayoutDimensionNV') + 3))) !== null));
  await done(page);
});

test('playground: on a phone, by the buttons', async () => {
  const page = await open('#tab=playground', {viewport: {width: 390, height: 780}, hasTouch: true, isMobile: true});
  await compiled(page);
  await assisted(page);
  await caretBehind(page, 'setTensorLayout');
  await page.tap('text=About');
  await page.waitForSelector('.tip:not([hidden])');
  assert.ok((await page.innerText('.tip')).includes('setTensorLayoutDimensionNV('));
  await page.tap('text=Complete');
  await page.waitForSelector('#choices:not([hidden])');
  const box = await page.locator('#choices').boundingBox();
  assert.ok(box.x >= 0 && box.x + box.width <= 390, JSON.stringify(box));
  await page.tap('#choices li:has-text("setTensorLayoutStrideNV")');
  assert.ok((await page.inputValue('#source')).includes('t = setTensorLayoutStrideNVDimensionNV('));
  await done(page);
});

test('playground: a text is shared by its link', async () => {
  const page = await open('#tab=playground');
  await compiled(page);
  const text = `${shaderOf('row_max.comp')}// \u00e4\u{1f600} & = + %\n`;
  await type(page, text);
  await page.waitForFunction(() => location.hash.includes('z='));
  const address = await page.evaluate(() => location.href);  // page.url() may be older than the click
  assert.ok(address.length < text.length, 'compressed');
  const again = await open(address.slice(address.indexOf('#')));
  await again.waitForFunction(() => document.querySelector('#source').value !== '');
  assert.strictEqual(await again.inputValue('#source'), text);
  const damaged = await open('#tab=playground&z=AAAA');
  await compiled(damaged);
  assert.ok((await damaged.inputValue('#source')).startsWith('#version 460'));
  await done(damaged);
  await done(again);
  await done(page);
});

test('playground: when memory is out the compiler is started anew', async () => {
  const page = await open('#tab=playground');
  await compiled(page);
  assert.strictEqual(await page.evaluate(() => coopc.compiler.starts()), 1);
  const failed = await page.evaluate(async () => (await coopc.compiler.compile('/'.repeat(300e6), 0)).failed);
  assert.ok(failed, 'a text of 300 MB does not fit into 256 MB');
  const answer = await page.evaluate(async () => coopc.compiler.compile('#version 450\nvoid main() {}\n', 0));
  assert.ok(answer.ok && answer.assembly.includes('OpEntryPoint GLCompute'));
  assert.strictEqual(await page.evaluate(() => coopc.compiler.starts()), 2);
  await done(page);
});

test('the answers are those of the program', async () => {
  const page = await open();
  const lines = fs.readFileSync(path.join(__dirname, '../../docs/layouts/pictures.txt'), 'utf8').split('\n').filter((line) => /^[\w-]+\.svg\|/.test(line));
  assert.strictEqual(lines.length, 30);
  const root = path.join(__dirname, '../..');
  for (const line of lines) {
    const words = line.split('|').slice(1);
    const native = JSON.parse(execFileSync(process.env.COOPLAYOUT, [...words, '--format', 'json'], {encoding: 'utf8', cwd: root}));
    // A shader is pasted there.
    const at = words.indexOf('--file');
    if (at > 0) words.splice(at, 2, fs.readFileSync(path.join(root, words[at + 1]), 'utf8'));
    const answer = await page.evaluate(([w]) => (w[0] === 'tensor' ? coopc.compiler.layout(w) : coopc.layout.run(w)), [words]);
    assert.deepStrictEqual(answer, native, line);
  }
  // The tab's own fields become options, which need no compiler.
  const command = await page.evaluate(() => coopc.current.seen.command);
  assert.ok(command.includes('--dimensions'));
  const native = JSON.parse(execFileSync(process.env.COOPLAYOUT, [...command, '--format', 'json'], {encoding: 'utf8'}));
  assert.deepStrictEqual(await page.evaluate((w) => coopc.layout.run(w), command), native);
  await done(page);
});

test('what the tab shows as GLSL is what it asks by options', async () => {
  const page = await open();
  let presets = 0;
  for (const preset of await page.locator('#tensor-preset option').allInnerTexts()) {
    if (preset.startsWith('Choose') || preset.startsWith('128 x 256')) continue;
    await page.selectOption('#tensor-preset', {label: preset});
    const [byOptions, byText] = await page.evaluate(async () => {
      const {command} = coopc.current.seen;
      const at = command.indexOf('--block-bytes');
      const block = at < 0 ? [] : command.slice(at, at + 2);
      return [coopc.layout.run([...command, '--table', 'byte']), await coopc.compiler.layout(['tensor', coopc.current.glsl.textContent, ...block, '--table', 'byte'])];
    });
    assert.deepStrictEqual(byText, byOptions, preset);
    ++presets;
  }
  assert.strictEqual(presets, 10);
  await done(page);
});

test('served by a server: the layouts, the playground, and a link that is shared', async () => {
  const types = {'.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css'};
  const asked = new Set();
  const server = http.createServer((request, response) => {
    const name = path.basename(new URL(request.url, 'http://localhost').pathname);
    const file = path.join(site, name);
    if (!fs.existsSync(file) || !fs.statSync(file).isFile()) { response.writeHead(404).end(); return; }
    asked.add(name);
    response.writeHead(200, {'Content-Type': types[path.extname(name)] || 'application/octet-stream'});
    response.end(fs.readFileSync(file));
  });
  await new Promise((listens) => server.listen(0, '127.0.0.1', listens));
  try {
    const from = `http://127.0.0.1:${server.address().port}/`;
    const page = await open('', {}, from);
    await click(page, 'matrix', 5, 4);
    assert.ok((await inspector(page)).includes('92 (0x5c)'));
    // The compiler is loaded when GLSL is pasted, and the rest of the playground when the playground is
    // opened.
    assert.ok(!asked.has('compiler_module.js'));
    await page.click('text=From GLSL or a shader');
    await paste(page, '#tensor-source', '#define SIZES(t) setTensorLayoutDimensionNV(t, 6, 7)\nSIZES(createTensorLayoutNV(2));');
    assert.strictEqual(await page.inputValue('#field-dim'), '6, 7');
    assert.ok(asked.has('compiler_module.js') && !asked.has('playground_samples.js'));
    await page.click('#tab-playground');
    await compiled(page);
    assert.ok(asked.has('compiler_module.js') && asked.has('playground_samples.js'));
    await type(page, shaderOf('vector_add.comp'));
    assert.ok((await page.innerText('.compile-state')).startsWith('Compiled'));
    await page.waitForFunction(() => location.hash.includes('z='));
    const address = await page.evaluate(() => location.href);
    assert.ok(address.startsWith(from));
    const again = await open(address.slice(address.indexOf('#')), {}, from);
    await again.waitForFunction(() => document.querySelector('#source').value !== '');
    assert.strictEqual(await again.inputValue('#source'), shaderOf('vector_add.comp'));
    await done(again);
    await done(page);
  } finally {
    server.close();
  }
});

test('128 x 256 elements answer in time', async () => {
  const page = await open();
  const start = Date.now();
  await page.selectOption('#tensor-preset', {label: '128 x 256 of bytes'});
  await page.waitForFunction(() => coopc.current.grids.matrix.data.rows === 128);
  const spent = Date.now() - start;
  console.log(`128 x 256: ${spent} ms`);
  assert.ok(spent < 5000, `${spent} ms`);
  await done(page);
});

test('sizes: the layout tabs below 300 KB, everything below 2.02 MB', () => {
  const lazy = /^(playground_samples|compiler_module|assist)\.js$/;  // scripts that index.html does not name
  const sizes = fs.readdirSync(site).map((name) => [name, zlib.gzipSync(fs.readFileSync(path.join(site, name)), {level: 9}).length]);
  const sum = (list) => list.reduce((total, [, size]) => total + size, 0);
  const layouts = sum(sizes.filter(([name]) => !lazy.test(name)));
  console.log(`gzipped: layouts ${layouts}, all ${sum(sizes)}`);
  assert.ok(layouts < 300e3, `${layouts} bytes`);
  assert.ok(sum(sizes) < 2.02e6, `${sum(sizes)} bytes`);
});
