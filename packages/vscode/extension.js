// The extension for VS Code: starts the language server coopls, and lets the user choose a file's variant.
'use strict';
const fs = require('fs');
const vscode = require('vscode');
const {CloseAction, LanguageClient, TransportKind} = require('vscode-languageclient/node');

const {candidates} = require('./server');

let client;
let outputChannel;  // shared by all clients

// A client whose failures are only logged until its server has started: the user need not see them, because
// another candidate may work.
class Candidate extends LanguageClient {
  constructor(server, options) {
    super('coopc', 'coopc', server, {
      ...options,
      initializationFailedHandler: error => { throw error; },  // otherwise the client would show the error, and stop a server that does not run
      // A server that ends before it has started would fail again.
      errorHandler: {
        error: (...about) => this.usual.error(...about),
        closed: () => this.served ? this.usual.closed() : {action: CloseAction.DoNotRestart, handled: true},
      },
    });
    this.usual = this.createDefaultErrorHandler();
    this.served = false;
  }
  async serve() {
    await this.start();
    if (!this.isRunning()) throw new Error('it ended');  // it ended during start(), which does not throw for that
    this.served = true;
  }
  error(message, data, show) { super.error(message, data, this.served ? show : false); }
}

// Starts the first server that works: a bundled program may need something that this system lacks, such as
// its C library.
async function start(context) {
  client = undefined;
  const settings = vscode.workspace.getConfiguration('coopc');
  const clangFormat = settings.get('clangFormat.path');
  const failures = [];
  for (const {program, script, own} of candidates(settings.get('server.path'), context.extensionPath)) {
    if (own && process.platform !== 'win32') {
      // Archives of extensions do not keep modes. If the folder is not writable, the mode may already be
      // right.
      try { fs.chmodSync(program, 0o755); } catch { }
    }
    const candidate = new Candidate(
        {...(script ? {module: script} : {command: program}), transport: TransportKind.stdio},
        {documentSelector: [{language: 'glsl'}], outputChannel, initializationOptions: {pictures: 'svg', ...(clangFormat ? {clangFormat} : {})}});
    try {
      await candidate.serve();
      client = candidate;
      return;
    } catch (error) {
      failures.push(`${script || program}: ${error.message}`);
      await candidate.dispose().catch(() => {});  // it ends the process, then throws if the client never ran
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
  outputChannel = vscode.window.createOutputChannel('coopc');
  context.subscriptions.push(
      outputChannel,
      vscode.commands.registerCommand('coopc.chooseVariant', chooseVariant),
      vscode.commands.registerCommand('coopc.restart', async () => {
        if (client && client.isRunning()) await client.stop();  // after a failed start, stop() throws
        await start(context);
      }));
  await start(context);
};
exports.deactivate = () => client && client.isRunning() ? client.stop() : undefined;
