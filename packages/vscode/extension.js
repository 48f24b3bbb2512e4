// The extension for VS Code: starts the language server coopls, and lets a file's variant be chosen.
'use strict';
const fs = require('fs');
const path = require('path');
const vscode = require('vscode');
const {LanguageClient, TransportKind} = require('vscode-languageclient/node');

let client;

// The setting's program, the one that came with the extension for this system, or the one in PATH.
function serverProgram(context) {
  const given = vscode.workspace.getConfiguration('coopc').get('server.path');
  if (given) return given;
  const name = process.platform === 'win32' ? 'coopls.exe' : 'coopls';
  const own = path.join(context.extensionPath, 'server', `${process.platform}-${process.arch}`, name);
  if (!fs.existsSync(own)) return name;
  if (process.platform !== 'win32') fs.chmodSync(own, 0o755);  // archives of extensions keep no modes
  return own;
}

async function start(context) {
  const command = serverProgram(context);
  const clangFormat = vscode.workspace.getConfiguration('coopc').get('clangFormat.path');
  client = new LanguageClient(
      'coopc', 'coopc', {command, transport: TransportKind.stdio},
      {documentSelector: [{language: 'glsl'}], initializationOptions: {pictures: 'svg', ...(clangFormat ? {clangFormat} : {})}});
  try {
    await client.start();
  } catch (error) {
    vscode.window.showErrorMessage(`coopls does not start (${command}): ${error.message}. The setting coopc.server.path names it.`);
  }
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
