// Starts `cqlgen lsp` and connects it to VS Code.
'use strict';
const {spawn} = require('child_process');
const vscode = require('vscode');

const LANGUAGE = 'cql-chess';

// The process, with its requests that have no answer yet.
class Server {
  constructor(command, onNotification, onFailure) {
    this.input = Buffer.alloc(0);
    this.waiting = new Map();
    this.last = 0;
    this.onNotification = onNotification;
    this.process = spawn(command, ['lsp'], {stdio: ['pipe', 'pipe', 'ignore']});
    this.process.on('error', onFailure);
    this.process.on('exit', () => this.end());
    this.process.stdin.on('error', () => {});
    this.process.stdout.on('data', (bytes) => this.read(bytes));
  }

  end() {
    for (const answer of this.waiting.values()) answer(null);
    this.waiting.clear();
    this.ended = true;
  }

  send(message) {
    const body = Buffer.from(JSON.stringify({jsonrpc: '2.0', ...message}));
    this.process.stdin.write(`Content-Length: ${body.length}\r\n\r\n`);
    this.process.stdin.write(body);
  }

  notify(method, params) {
    if (!this.ended) this.send({method, params});
  }

  // The result; null after an error.
  request(method, params) {
    if (this.ended) return Promise.resolve(null);
    const id = ++this.last;
    this.send({id, method, params});
    return new Promise((resolve) => this.waiting.set(id, resolve));
  }

  read(bytes) {
    this.input = Buffer.concat([this.input, bytes]);
    for (;;) {
      const head = this.input.indexOf('\r\n\r\n');
      if (head < 0) return;
      const length = Number(/Content-Length: *(\d+)/i.exec(this.input.toString('latin1', 0, head))[1]);
      if (this.input.length < head + 4 + length) return;
      const message = JSON.parse(this.input.toString('utf8', head + 4, head + 4 + length));
      this.input = this.input.subarray(head + 4 + length);
      if (message.method) {
        this.onNotification(message);
      } else if (this.waiting.has(message.id)) {
        this.waiting.get(message.id)(message.result === undefined ? null : message.result);
        this.waiting.delete(message.id);
      }
    }
  }
}

const toRange = (r) => new vscode.Range(r.start.line, r.start.character, r.end.line, r.end.character);
const toEdit = (e) => new vscode.TextEdit(toRange(e.range), e.newText);
const naming = (document) => ({textDocument: {uri: document.uri.toString()}});

function toDiagnostic(d) {
  const diagnostic = new vscode.Diagnostic(toRange(d.range), d.message, d.severity - 1);
  diagnostic.source = d.source;
  return diagnostic;
}

function toItem(i) {
  const item = new vscode.CompletionItem(i.label, i.kind - 1);
  item.detail = i.detail;
  item.documentation = i.documentation && new vscode.MarkdownString('```\n' + i.documentation.value + '\n```');
  item.range = toRange(i.textEdit.range);
  item.insertText = i.textEdit.newText;
  return item;
}

function toAction(a) {
  const action = new vscode.CodeAction(a.title, vscode.CodeActionKind.QuickFix);
  action.edit = new vscode.WorkspaceEdit();
  for (const [uri, edits] of Object.entries(a.edit.changes)) action.edit.set(vscode.Uri.parse(uri), edits.map(toEdit));
  action.diagnostics = a.diagnostics.map(toDiagnostic);
  action.isPreferred = true;
  return action;
}

function registerProviders(context, server) {
  const at = (document, position) => ({...naming(document), position: {line: position.line, character: position.character}});
  const list = async (method, params, make) => ((await server.request('textDocument/' + method, params)) || []).map(make);
  const {languages} = vscode;
  context.subscriptions.push(
    languages.registerCompletionItemProvider(LANGUAGE, {
      async provideCompletionItems(document, position) {
        const answer = await server.request('textDocument/completion', at(document, position));
        return answer && answer.items.map(toItem);
      }
    }, '"'),
    languages.registerHoverProvider(LANGUAGE, {
      async provideHover(document, position) {
        const answer = await server.request('textDocument/hover', at(document, position));
        return answer && new vscode.Hover(new vscode.MarkdownString(answer.contents.value), toRange(answer.range));
      }
    }),
    languages.registerDocumentFormattingEditProvider(LANGUAGE, {
      provideDocumentFormattingEdits: (document) => list('formatting', {...naming(document), options: {}}, toEdit)
    }),
    languages.registerCodeActionsProvider(LANGUAGE, {
      provideCodeActions: (document, range) =>
        list('codeAction', {...naming(document), range: {start: range.start, end: range.end}, context: {diagnostics: []}}, toAction)
    }),
    languages.registerDocumentSymbolProvider(LANGUAGE, {
      provideDocumentSymbols: (document) => list('documentSymbol', naming(document), (s) =>
        new vscode.DocumentSymbol(s.name, '', s.kind - 1, toRange(s.range), toRange(s.selectionRange)))
    }));
}

async function activate(context) {
  const command = vscode.workspace.getConfiguration('chess-cql').get('command', 'cqlgen');
  const shown = vscode.languages.createDiagnosticCollection('cqlgen');
  const server = new Server(command, ({method, params}) => {
    if (method === 'textDocument/publishDiagnostics') shown.set(vscode.Uri.parse(params.uri), params.diagnostics.map(toDiagnostic));
    if (method === 'window/showMessage') vscode.window.showErrorMessage(params.message);
  }, (error) => {
    server.end();
    vscode.window.showErrorMessage(`cannot start \`${command} lsp\`: ${error.message}; the setting chess-cql.command names the program`);
  });
  const queries = (take) => (document) => {
    if (document.languageId === LANGUAGE) take(document);
  };
  const open = queries((document) => server.notify('textDocument/didOpen', {
    textDocument: {uri: document.uri.toString(), languageId: LANGUAGE, version: document.version, text: document.getText()}
  }));
  const change = queries((document) => server.notify('textDocument/didChange', {
    textDocument: {uri: document.uri.toString(), version: document.version},
    contentChanges: [{text: document.getText()}]
  }));
  await server.request('initialize', {processId: process.pid, rootUri: null, capabilities: {}});
  server.notify('initialized', {});
  vscode.workspace.textDocuments.forEach(open);
  context.subscriptions.push(
    shown,
    {dispose: () => server.process.kill()},
    vscode.workspace.onDidOpenTextDocument(open),
    vscode.workspace.onDidChangeTextDocument(({document}) => change(document)),
    vscode.workspace.onDidCloseTextDocument(queries((document) => server.notify('textDocument/didClose', naming(document)))));
  registerProviders(context, server);
}

module.exports = {activate};
