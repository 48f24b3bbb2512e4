// node vscode_test.cjs MODULES EXTENSION SERVER...: the grammar of the extension for VS Code tokenizes a sample, by the editor's own
// engine, and a client of vscode-languageserver-protocol has a session with the server: a program, behind the words that run it where it is
// for another system, or a script that Node runs. MODULES is a node_modules folder.
'use strict';
const assert = require('assert');
const {spawn} = require('child_process');
const fs = require('fs');
const os = require('os');
const path = require('path');
const [modules, extension, ...words] = process.argv.slice(2);
// Wine has the root of this system's files as a drive.
const uriOf = file => `file://${words[0].endsWith('run-windows') ? '/z%3A' : ''}${file}`;
const load = name => require(path.join(modules, name));

const SAMPLE = `#version 460
#extension GL_KHR_cooperative_matrix : require
#include <common.h>
#define TWO 2.0 // twice
layout(local_size_x = 32) in;
struct Light { vec3 place; };
void main() {
  coopmat<float16_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseA> m; /* a matrix */
  coopMatLoad(m, a, 0x10u, 1.5e-3f, gl_CooperativeMatrixLayoutRowMajor);
  if (gl_LocalInvocationIndex < 4u) return;
}
`;

async function testGrammar() {
  const oniguruma = load('vscode-oniguruma');
  const textmate = load('vscode-textmate');
  await oniguruma.loadWASM(fs.readFileSync(path.join(modules, 'vscode-oniguruma/release/onig.wasm')).buffer);
  const file = path.join(extension, 'syntaxes/glsl.tmLanguage.json');
  const registry = new textmate.Registry({
    onigLib: Promise.resolve({
      createOnigScanner: patterns => new oniguruma.OnigScanner(patterns),
      createOnigString: text => new oniguruma.OnigString(text),
    }),
    loadGrammar: async scope => scope === 'source.glsl' ? textmate.parseRawGrammar(fs.readFileSync(file, 'utf8'), file) : null,
  });
  const grammar = await registry.loadGrammar('source.glsl');
  const found = new Map();
  let stack = textmate.INITIAL;
  for (const line of SAMPLE.split('\n')) {
    const result = grammar.tokenizeLine(line, stack);
    stack = result.ruleStack;
    for (const token of result.tokens) found.set(line.slice(token.startIndex, token.endIndex).trim(), token.scopes[token.scopes.length - 1]);
  }
  const expected = {
    'version': 'keyword.control.directive.glsl',
    'GL_KHR_cooperative_matrix': 'entity.name.extension.glsl',
    'require': 'support.constant.behavior.glsl',
    '<common.h>': 'string.quoted.other.lt-gt.include.glsl',
    '2.0': 'constant.numeric.float.glsl',
    'twice': 'comment.line.double-slash.glsl',
    'layout': 'storage.modifier.glsl',
    'in': 'storage.modifier.glsl',
    'struct': 'storage.type.struct.glsl',
    'vec3': 'storage.type.glsl',
    'void': 'storage.type.glsl',
    'main': 'entity.name.function.glsl',
    'coopmat': 'storage.type.glsl',
    'float16_t': 'storage.type.glsl',
    'gl_ScopeSubgroup': 'support.constant.glsl',
    'gl_MatrixUseA': 'support.constant.glsl',
    'a matrix': 'comment.block.glsl',
    'coopMatLoad': 'support.function.matrix.glsl',
    '0x10u': 'constant.numeric.hex.glsl',
    '1.5e-3f': 'constant.numeric.float.glsl',
    'gl_CooperativeMatrixLayoutRowMajor': 'support.constant.glsl',
    'if': 'keyword.control.glsl',
    'gl_LocalInvocationIndex': 'support.variable.glsl',
    '4u': 'constant.numeric.integer.glsl',
  };
  for (const [word, scope] of Object.entries(expected)) assert.strictEqual(found.get(word), scope, word);
  return Object.keys(expected).length;
}

async function testClient() {
  // A workspace with settings and a header, which the server reads itself.
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'coopls-'));
  fs.mkdirSync(path.join(folder, 'parts'));
  fs.writeFileSync(path.join(folder, 'parts', 'twice.glsl'), '// Both.\nfloat twice(float value) { return value + value; }\n');
  fs.writeFileSync(path.join(folder, 'coopc.json'), '{"includeFolders": ["parts"]}');
  const protocol = load('vscode-languageserver-protocol/node');
  const [command, ...before] = words[0].endsWith('.js') ? [process.execPath, ...words] : words;
  const server = spawn(command, [...before, '--stdio', `--clientProcessId=${process.pid}`], {stdio: ['pipe', 'pipe', 'inherit']});
  const connection = protocol.createProtocolConnection(new protocol.StreamMessageReader(server.stdout), new protocol.StreamMessageWriter(server.stdin));
  let published, awaited;
  connection.onNotification(protocol.PublishDiagnosticsNotification.type, p => {
    published = p;
    if (awaited) awaited(p.diagnostics);
  });
  const diagnostics = () => new Promise(resolve => { awaited = resolve; });
  connection.onError(error => { throw error; });
  connection.listen();
  const started = await connection.sendRequest(protocol.InitializeRequest.type, {
    processId: process.pid, rootUri: uriOf(folder), workspaceFolders: null,
    capabilities: {general: {positionEncodings: ['utf-16']}, textDocument: {semanticTokens: {requests: {full: true}, tokenTypes: [], tokenModifiers: [], formats: ['relative']}}},
  });
  assert.strictEqual(started.capabilities.positionEncoding, 'utf-16');
  await connection.sendNotification(protocol.InitializedNotification.type, {});
  const uri = 'file:///sample.comp';
  const text = '#version 450\n// Half.\nfloat halved(float value) { return value * 0.5; }\nvoid main() {\n  float x = halved(1.0)\n}\n';
  let coming = diagnostics();
  await connection.sendNotification(protocol.DidOpenTextDocumentNotification.type, {textDocument: {uri, languageId: 'glsl', version: 1, text}});
  const [wrong] = await coming;
  assert.strictEqual(wrong.code, 'expected-token');
  const textDocument = {uri};
  const actions = await connection.sendRequest(protocol.CodeActionRequest.type, {textDocument, range: wrong.range, context: {diagnostics: [wrong]}});
  assert.strictEqual(actions[0].title, 'Insert `;`');
  const [edit] = actions[0].edit.changes[uri];
  coming = diagnostics();
  await connection.sendNotification(protocol.DidChangeTextDocumentNotification.type, {textDocument: {uri, version: 2}, contentChanges: [{range: edit.range, text: edit.newText}]});
  assert.deepStrictEqual(await coming, []);
  const position = {line: 4, character: 14};
  const hover = await connection.sendRequest(protocol.HoverRequest.type, {textDocument, position});
  assert.match(hover.contents.value, /float halved\(float value\)[^]*Half\./);
  const renamed = await connection.sendRequest(protocol.RenameRequest.type, {textDocument, position, newName: 'half_of'});
  assert.strictEqual(renamed.changes[uri].length, 2);
  const completion = await connection.sendRequest(protocol.CompletionRequest.type, {textDocument, position: {line: 4, character: 2}});
  assert(completion.items.some(item => item.label === 'halved'));
  const tokens = await connection.sendRequest(protocol.SemanticTokensRequest.type, {textDocument});
  assert(tokens.data.length > 50 && tokens.data.length % 5 === 0);
  const [item] = await connection.sendRequest(protocol.CallHierarchyPrepareRequest.type, {textDocument, position});
  const callers = await connection.sendRequest(protocol.CallHierarchyIncomingCallsRequest.type, {item});
  assert.strictEqual(callers[0].from.name, 'main');
  assert(Array.isArray(await connection.sendRequest(protocol.WorkspaceSymbolRequest.type, {query: 'halved'})));
  await assert.rejects(connection.sendRequest(protocol.RenameRequest.type, {textDocument, position, newName: '1'}));
  const other = uriOf(`${folder}/other.comp`);
  const includes = '#version 450\n#extension GL_GOOGLE_include_directive : require\n#include <twice.glsl>\nvoid main() { float x = twice(1.0); }\n';
  await connection.sendNotification(protocol.DidOpenTextDocumentNotification.type, {textDocument: {uri: other, languageId: 'glsl', version: 1, text: includes}});
  const place = await connection.sendRequest(protocol.DefinitionRequest.type, {textDocument: {uri: other}, position: {line: 3, character: 26}});
  assert.strictEqual(place.uri, uriOf(`${folder}/parts/twice.glsl`));
  assert.deepStrictEqual(place.range.start, {line: 1, character: 6});
  await connection.sendRequest(protocol.ShutdownRequest.type);
  await connection.sendNotification(protocol.ExitNotification.type);
  const code = await new Promise(resolve => server.on('exit', resolve));
  assert.strictEqual(code, 0);
  assert.strictEqual(published.uri, other);
  connection.dispose();
  fs.rmSync(folder, {recursive: true});
}

(async () => {
  const words = await testGrammar();
  await testClient();
  console.log(`${words} words of a sample, and a session`);
})().catch(error => {
  console.error(error);
  process.exit(1);
});
