// ---- signs of pieces, which mean the same as their letters (language reference 1.10) ----
const signs = (() => {
  const letters = { '♔': 'K', '♕': 'Q', '♖': 'R', '♗': 'B', '♘': 'N', '♙': 'P', '♚': 'k', '♛': 'q', '♜': 'r', '♝': 'b', '♞': 'n', '♟': 'p', '△': 'A', '▲': 'a', '◭': 'Aa', '□': '_' };
  const list = Object.keys(letters);

  // `♖♜a1` as `[Rr]a1`.
  function toLetters(text) {
    return text.replace(/[♔-♟△▲◭□]+/g, run => {
      const all = [...run].map(c => letters[c]).join('');
      return all.length > 1 ? '[' + all + ']' : all;
    });
  }

  // The designator `[Rr]a1` as `♖♜a1`.
  function toSigns(designator) {
    return designator.replace(/^(?:\[([KQRBNPAkqrbnpa_]+)\]|[KQRBNPAkqrbnpa_])/, (one, several) => [...several || one].map(c => list.find(sign => letters[sign] === c)).join(''));
  }

  return { list, toLetters, toSigns };
})();

// ---- the editor: colours, errors while one types, completion ----
const editor = (() => {
  const words = new Set('@WORDS@'.split(' '));
  const designator = /^(?:\[[KQRBNPAkqrbnpa_]+\]|[KQRBNPAkqrbnpa_]|[♔-♟△▲◭□]+)?(?:[a-h](?:-[a-h])?[1-8](?:-[1-8])?|\[[a-h1-8,-]+\])(?![\w$])|^(?:\[[KQRBNPAkqrbnpa_]+\]|[KQRBNPAkqrbnpa_](?![\w$])|[♔-♟△▲◭□]+)/;
  const area = byId('text');
  let mirror = null, marks = [], dialects = {}, checking = null;

  // The classes of CodeMirror for one piece of the text at a time.
  const mode = () => ({
    startState: () => ({ inComment: false }),
    token(stream, at) {
      if (at.inComment) {
        at.inComment = !stream.match(/^.*?\*\//);
        if (at.inComment) stream.skipToEnd();
        return 'comment';
      }
      if (stream.eatSpace()) return null;
      if (stream.match(/^\/\/\/(?!\/)/)) return 'operator';
      if (stream.match(/^\/\/.*/)) return 'comment';
      if (stream.match('/*')) {
        at.inComment = true;
        return 'comment';
      }
      if (stream.match(/^"(?:[^"\\]|\\.)*"?/)) return 'string';
      if (stream.match(designator)) return 'atom';
      if (stream.match(/^(?:1-0|0-1|1\/2-1\/2|\d+)/)) return 'number';
      const word = stream.match(/^[A-Za-z_$][\w$]*/);
      if (word) return words.has(word[0]) ? 'keyword' : 'variable';
      stream.next();
      stream.eatWhile(/[^\s\w$"/{}()[\],♔-♟△▲◭□]/);
      return 'operator';
    },
    lineComment: '//'
  });

  const text = () => mirror ? mirror.getValue() : area.value;

  function set(value) {
    if (value === text()) return;
    if (mirror) mirror.setValue(value);
    else area.value = value;
    changed();
  }

  // An offset of the plain text field for a position of the server.
  function offset(position) {
    const lines = area.value.split('\n');
    return lines.slice(0, position.line).reduce((sum, line) => sum + line.length + 1, 0) + position.character;
  }

  const place = position => ({ line: position.line, ch: position.character });

  // Replaces ranges, the last one first, so that the others stay where they are.
  function edit(edits) {
    const sorted = [...edits].sort((a, b) => b.range.start.line - a.range.start.line || b.range.start.character - a.range.start.character);
    const change = () => {
      for (const { range, newText } of sorted) {
        if (mirror) mirror.replaceRange(newText, place(range.start), place(range.end));
        else area.setRangeText(newText, offset(range.start), offset(range.end), 'end');
      }
    };
    if (mirror) mirror.operation(change);
    else change();
    changed();
    focus();
  }

  function insert(value) {
    if (mirror) mirror.replaceSelection(value);
    else area.setRangeText(value, area.selectionStart, area.selectionEnd, 'end');
    changed();
    focus();
  }

  const focus = () => (mirror || area).focus();

  // Writes the pieces of the query otherwise.
  function respell(write) {
    const lines = text().split('\n').map((_, i) => mirror.getLineTokens(i).map(t => t.type === 'atom' ? write(t.string) : t.string).join(''));
    set(lines.join('\n'));
    focus();
  }

  function mountSigns() {
    const small = (textContent, onclick) => make('button', { type: 'button', textContent, onclick });
    const show = open => {
      byId('signs').hidden = !open;
      byId('open-signs').setAttribute('aria-expanded', open);
    };
    byId('signs').append(...signs.list.map(sign => small(sign, () => insert(sign))));
    if (window.CodeMirror) byId('signs').append(small('Letters to signs', () => respell(signs.toSigns)), small('Signs to letters', () => respell(signs.toLetters)));
    byId('open-signs').onclick = () => {
      show(byId('signs').hidden);
      state.store('signs', byId('signs').hidden ? [] : ['open']);
    };
    show(state.stored('signs').length > 0);
  }

  // Where the server finds errors, the words are underlined; each message has its cures as buttons.
  function showProblems(diagnostics) {
    for (const mark of marks) mark.clear();
    const kinds = ['', 'error', 'warning', 'information'];
    marks = !mirror ? [] : diagnostics.map(d => {
      const from = place(d.range.start), to = place(d.range.end);
      const empty = from.line === to.line && from.ch === to.ch;
      if (empty && to.ch < (mirror.getLine(to.line) || '').length) to.ch++;
      else if (empty && from.ch > 0) from.ch--;
      return mirror.markText(from, to, { className: 'marked-' + kinds[d.severity || 1], title: d.message });
    });
    byId('problems').replaceChildren(...diagnostics.map(d => {
      const where = make('button', { type: 'button', className: 'plain where', textContent: `line ${d.range.start.line + 1}`, title: 'Go there' });
      where.onclick = () => select(d.range);
      const kind = kinds[d.severity || 1];
      const item = make('li', { className: kind }, make('b', { textContent: kind[0].toUpperCase() + kind.slice(1) }), ' ', where, ' ', ...withCode(d.message));
      for (const fix of d.fixes || []) {
        const cure = make('button', { type: 'button', className: 'cure' }, ...withCode(fix.title));
        cure.onclick = () => edit(fix.edits);
        item.append(' ', cure);
      }
      return item;
    }));
  }

  function select(range) {
    if (mirror) mirror.setSelection(place(range.start), place(range.end));
    else area.setSelectionRange(offset(range.start), offset(range.end));
    focus();
  }

  async function check() {
    if (checking) checking.abort();
    checking = new AbortController();
    const query = state.current();
    try {
      const answer = await api.ask('/check', { query: query.text, dialect: query.dialect || undefined }, checking.signal);
      showProblems(answer.diagnostics);
      query.title = (answer.title || '').replaceAll('`', '');
      byId('title').textContent = query.title;
      byId('dialect').options[0].textContent = answer.dialect ? 'detected: ' + (dialects[answer.dialect] || answer.dialect) : 'detect';
      tabs.label();
    } catch (error) {
      if (!api.stopped(error)) byId('title').textContent = error.message;
    }
  }
  const checkSoon = later(250, check);

  function changed() {
    state.current().text = text();
    state.write();
    checkSoon();
  }

  // The word at a place, for help: letters, or the signs around it.
  function wordAt(at) {
    const line = mirror.getLine(at.line) || '';
    for (const kind of [/[\w$:]+/g, /[^\w\s$"(){}[\]]+/g])
      for (const m of line.matchAll(kind))
        if (m.index <= at.ch && at.ch <= m.index + m[0].length) return m[0];
    return '';
  }

  // ---- completion ----

  async function proposals(cm) {
    const at = cm.getCursor(), query = state.current();
    const answer = await api.ask('/complete', { query: cm.getValue(), dialect: query.dialect || undefined, position: { line: at.line, character: at.ch } });
    const start = cm.getTokenAt(at).start;
    const list = answer.items.map(item => {
      const range = item.textEdit && item.textEdit.range;
      return {
        text: item.textEdit ? item.textEdit.newText : item.label, from: range ? place(range.start) : { line: at.line, ch: start }, to: range ? place(range.end) : at,
        render: e => e.append(make('span', { className: 'word', textContent: item.label }), make('span', { className: 'gloss', textContent: item.detail || '' }))
      };
    });
    return { list, from: list.length ? list[0].from : at, to: list.length ? list[0].to : at };
  }

  function complete(cm) {
    cm.showHint({ hint: proposals, completeSingle: false, closeCharacters: /[\s()[\]{};,]/ });
  }
  const completeSoon = later(120, cm => {
    if (!cm.state.completionActive && /[A-Za-z]{2}$/.test(cm.getLine(cm.getCursor().line).slice(0, cm.getCursor().ch))) complete(cm);
  });

  // ---- the start ----

  function mount() {
    mountSigns();
    for (const option of byId('dialect').options) if (option.value) dialects[option.value] = option.textContent;
    byId('keys').textContent = (/Mac/.test(navigator.platform) ? '⌘' : 'Ctrl') + '-Enter searches' + (window.CodeMirror ? ', Ctrl-Space completes, F1 helps' : '');
    if (!window.CodeMirror) {
      area.addEventListener('input', changed);
      area.addEventListener('keydown', event => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) byId('search').click();
      });
      return;
    }
    CodeMirror.defineMode('cql', mode);
    mirror = CodeMirror.fromTextArea(area, {
      mode: 'cql', matchBrackets: true, lineWrapping: true, viewportMargin: Infinity, tabSize: 4, indentUnit: 4, screenReaderLabel: 'Query in CQL', inputStyle: 'contenteditable',
      extraKeys: {
        'Ctrl-Enter': () => byId('search').click(), 'Cmd-Enter': () => byId('search').click(), 'Ctrl-Space': complete,
        F1: cm => help.open(wordAt(cm.getCursor())), Tab: false, 'Shift-Tab': false // Tab leaves the editor
      }
    });
    mirror.on('change', (cm, change) => {
      if (change.origin !== 'setValue') changed();
    });
    mirror.on('inputRead', (cm, change) => {
      if (/[A-Za-z]$/.test(change.text.join(''))) completeSoon(cm);
    });
    help.hover(mirror.getWrapperElement(), event => {
      const at = mirror.coordsChar({ left: event.clientX, top: event.clientY }, 'window');
      const box = mirror.charCoords(at, 'window');
      const near = Math.abs(event.clientX - box.left) < 16 && event.clientY >= box.top - 2 && event.clientY <= box.bottom + 2;
      return near && /keyword|operator|variable/.test(mirror.getTokenTypeAt({ line: at.line, ch: at.ch + 1 }) || mirror.getTokenTypeAt(at)) ? wordAt(at) : '';
    });
  }

  // Shows the query of the current tab.
  function show() {
    const query = state.current();
    byId('dialect').value = query.dialect;
    byId('title').textContent = query.title || '';
    showProblems([]);
    if (mirror) mirror.setValue(query.text);
    else area.value = query.text;
    check();
  }

  return { mount, show, set, insert, focus, text, check, showProblems, refresh: () => mirror && mirror.refresh() };
})();

// ---- several queries ----
const tabs = (() => {
  const list = document.querySelector('#tabs [role=tablist]');

  // What a query is called: its comment, or its text.
  function nameOf(query) {
    return query.title || query.text.replace(/\s+/g, ' ').trim().slice(0, 40) || 'new query';
  }

  function label() {
    const tab = list.children[state.now.tab];
    if (tab) tab.querySelector('[role=tab]').textContent = nameOf(state.current());
    document.title = nameOf(state.current()) + ' – cqlgen';
  }

  function draw() {
    list.replaceChildren(...state.now.queries.map((query, i) => {
      const selected = i === state.now.tab;
      const tab = make('button', { type: 'button', role: 'tab', textContent: nameOf(query), 'aria-selected': selected, tabIndex: selected ? 0 : -1, 'aria-controls': 'query' });
      tab.dataset.index = i;
      const item = make('span', { className: 'tab', role: 'presentation' }, tab);
      if (state.now.queries.length > 1) {
        const close = make('button', { type: 'button', className: 'plain', 'aria-label': 'Close ' + nameOf(query), textContent: '×', tabIndex: selected ? 0 : -1 });
        close.onclick = event => {
          event.stopPropagation();
          remove(i);
        };
        item.append(close);
      }
      return item;
    }));
    label();
  }

  function show(i) {
    state.now.tab = i;
    draw();
    editor.show();
    state.write();
  }

  function add(text = '', dialect = '') {
    state.now.queries.push({ text, dialect });
    show(state.now.queries.length - 1);
    editor.focus();
  }

  function remove(i) {
    state.now.queries.splice(i, 1);
    show(Math.min(state.now.tab > i ? state.now.tab - 1 : state.now.tab, state.now.queries.length - 1));
    list.querySelector('[aria-selected=true]').focus();
  }

  // Shows a query: in the current tab if that is empty, else in a new one.
  function open(text, dialect = '') {
    if (/^\s*(mate)?\s*$/.test(state.current().text)) {
      Object.assign(state.current(), { text, dialect, title: '' });
      show(state.now.tab);
      editor.focus();
    } else {
      add(text, dialect);
    }
  }

  function mount() {
    tabKeys(list, tab => show(+tab.dataset.index));
    byId('new-tab').onclick = () => add();
  }

  return { mount, show, draw, label, open, nameOf };
})();
