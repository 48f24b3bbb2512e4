// The extension for VS Code: starts the language server coopls, and lets a file's variant be chosen.
'use strict';
const fs = require('fs');
const vscode = require('vscode');
const {LanguageClient, TransportKind} = require('vscode-languageclient/node');

const {candidates} = require('./server');

let client;

// Starts the first server that does: a program that comes along may need what this system has not, such as its C library.
async function start(context) {
  const settings = vscode.workspace.getConfiguration('coopc');
  const clangFormat = settings.get('clangFormat.path');
  const failures = [];
  for (const {program, script, own} of candidates(settings.get('server.path'), context.extensionPath)) {
    if (own && process.platform !== 'win32') fs.chmodSync(program, 0o755);  // archives of extensions keep no modes
    client = new LanguageClient(
        'coopc', 'coopc', script ? {module: script, transport: TransportKind.stdio} : {command: program, transport: TransportKind.stdio},
        {documentSelector: [{language: 'glsl'}], initializationOptions: {pictures: 'svg', ...(clangFormat ? {clangFormat} : {})}});
    try {
      await client.start();
      return;
    } catch (error) {
      failures.push(`${script || program}: ${error.message}`);
    }
  }
  vscode.window.showErrorMessage(`coopls does not start (${failures.join('; ')}). The setting coopc.server.path names it.`);
}

async function chooseVariant() {
  const editor = vscode.window.activeTextEditor;
  if (!editor || !client) return;
  const uri = client.code2ProtocolConverter.asUri(editor.document.uri);
  const names = await client.sendRequest('workspace/executeCommand', {command: 'coopls.variants', arguments: [uri, false]});
  if (names.length === 0) {
    vscode.window.showInformationMessage('This file is in no compile list (compileList in coopc.json).');
    return;
  }
  const all = 'Diagnostics of all variants';
  const chosen = await vscode.window.showQuickPick([all, ...names]);
  if (chosen === undefined) return;
  await client.sendRequest('workspace/executeCommand', {command: 'coopls.chooseVariant', arguments: [uri, chosen === all ? null : names.indexOf(chosen)]});
}

exports.activate = async context => {
  context.subscriptions.push(
      vscode.commands.registerCommand('coopc.chooseVariant', chooseVariant),
      vscode.commands.registerCommand('coopc.restart', async () => {
        if (client && client.isRunning()) await client.stop();  // stop() throws after a failed start
        await start(context);
      }));
  await start(context);
};
exports.deactivate = () => client && client.isRunning() ? client.stop() : undefined;
