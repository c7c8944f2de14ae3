// Runs the extension of VS Code without VS Code: node vscode.js FOLDER COMMAND TEXT. Prints what it shows for the text, as JSON.
'use strict';
const Module = require('module');
const [folder, command, text] = process.argv.slice(2);

class Position { constructor(line, character) { this.line = line; this.character = character; } }
class Range { constructor(a, b, c, d) { this.start = new Position(a, b); this.end = new Position(c, d); } }
class Uri { constructor(text) { this.text = text; } static parse(t) { return new Uri(t); } toString() { return this.text; } }
const place = (r) => `${r.start.line}:${r.start.character}-${r.end.line}:${r.end.character}`;
const providers = {}, listeners = {};
let shown, onShown = () => {};
const register = (name) => (language, provider) => { providers[name] = provider; return {}; };
const listen = (name) => (take) => { listeners[name] = take; return {}; };
const document = {languageId: 'cql-chess', uri: new Uri('file:///a.cql'), version: 1, text, getText() { return this.text; }};

const vscode = {
  Range, Uri,
  TextEdit: class { constructor(range, newText) { this.range = range; this.newText = newText; } },
  Diagnostic: class { constructor(range, message, severity) { Object.assign(this, {range, message, severity}); } },
  CompletionItem: class { constructor(label, kind) { Object.assign(this, {label, kind}); } },
  MarkdownString: class { constructor(value) { this.value = value; } },
  Hover: class { constructor(contents, range) { Object.assign(this, {contents, range}); } },
  CodeAction: class { constructor(title, kind) { Object.assign(this, {title, kind}); } },
  CodeActionKind: {QuickFix: 'quickfix'},
  WorkspaceEdit: class { set(uri, edits) { this.edits = edits; } },
  DocumentSymbol: class { constructor(name) { this.name = name; } },
  languages: {
    createDiagnosticCollection: () => ({set(uri, list) { shown = list.map((d) => `${place(d.range)} ${d.severity} ${d.message}`); onShown(); }}),
    registerCompletionItemProvider: register('items'), registerHoverProvider: register('hover'),
    registerDocumentFormattingEditProvider: register('layout'), registerCodeActionsProvider: register('fixes'),
    registerDocumentSymbolProvider: register('symbols')
  },
  workspace: {
    getConfiguration: () => ({get: () => command}), textDocuments: [document],
    onDidOpenTextDocument: listen('open'), onDidChangeTextDocument: listen('change'), onDidCloseTextDocument: listen('close')
  },
  window: {showErrorMessage(message) { console.log(JSON.stringify({message})); process.exit(0); }}
};
const load = Module._load;
Module._load = (name, ...rest) => name === 'vscode' ? vscode : load(name, ...rest);

const next = () => new Promise((resolve) => { onShown = resolve; });

async function main() {
  const context = {subscriptions: []};
  const first = next();
  await require(require('path').resolve(folder, 'extension.js')).activate(context);
  await first;
  const result = {diagnostics: shown}, at = new Position(1, 21), all = new Range(0, 0, 9, 0);
  result.items = (await providers.items.provideCompletionItems(document, at)).map((i) => `${i.label} ${place(i.range)}`);
  result.hover = (await providers.hover.provideHover(document, new Position(1, 10))).contents.value;
  const fixes = await providers.fixes.provideCodeActions(document, all);
  result.fixes = fixes.map((f) => [f.title, place(f.edit.edits[0].range), f.edit.edits[0].newText]);
  document.text = text.replace('chek', 'check');
  document.version = 2;
  const second = next();
  listeners.change({document});
  await second;
  result.changed = shown;
  result.layout = (await providers.layout.provideDocumentFormattingEdits(document)).map((e) => [place(e.range), e.newText]);
  console.log(JSON.stringify(result));
  for (const s of context.subscriptions) if (s.dispose) s.dispose();
}

main();
