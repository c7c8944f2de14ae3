// ---- the board editor: a position as CQL ----
const position = (() => {
  const pieces = { K: 'king', Q: 'queen', R: 'rook', B: 'bishop', N: 'knight', P: 'pawn' };
  // What a square may be told to have; `anything` is no mark.
  const marks = {
    ...Object.fromEntries([...'KQRBNPkqrbnp'].map(c => [c, (c < 'a' ? 'white ' : 'black ') + pieces[c.toUpperCase()]])),
    A: 'any white man', a: 'any black man', _: 'empty', x: 'not a pawn', '': 'anything'
  };
  const special = { A: '△', a: '▲', _: '□', x: '♙', '': '·' };
  const squares = [...'87654321'].flatMap(rank => [...'abcdefgh'].map(file => file + rank));
  const transforms = ['flipcolor', 'flipvertical', 'shift'];
  const empty = () => ({ board: {}, side: '', only: false, flipcolor: false, flipvertical: false, shift: false });
  let now = empty(), chosen = 'K', at = 'e4', dragged = '';

  // ---- CQL ----

  // The position as filters: `Kg1 Rf1 _f2 not [Pp][g2,h2]`.
  function write(p) {
    const parts = [], notPawn = squares.filter(s => p.board[s] === 'x');
    for (const mark of [...'KQRBNPkqrbnpAa_'])
      for (const s of squares) if (p.board[s] === mark) parts.push(mark + s);
    if (notPawn.length) parts.push('not [Pp]' + (notPawn.length === 1 ? notPawn[0] : '[' + notPawn.join(',') + ']'));
    if (p.only) parts.push('#[Aa] == ' + squares.filter(s => p.board[s] && !/[_x]/.test(p.board[s])).length);
    if (p.side) parts.unshift(p.side);
    const text = parts.join(' ') || 'true', used = transforms.filter(t => p[t]);
    return used.length ? `${used.join(' ')} { ${text} }` : text;
  }

  // Squares of a designator: `e4`, `a-c4`, `a1-3`, `[e4,d5]`.
  function listed(text) {
    const out = [];
    for (const part of text.replace(/[[\]]/g, '').split(',')) {
      const m = /^([a-h])(?:-([a-h]))?([1-8])(?:-([1-8]))?$/.exec(part);
      if (!m) return null;
      for (const s of squares) if (s[0] >= m[1] && s[0] <= (m[2] || m[1]) && s[1] >= m[3] && s[1] <= (m[4] || m[3])) out.push(s);
    }
    return out;
  }

  // Reads what write() writes, and the like; null for any other query.
  function read(text) {
    const p = empty();
    let rest = signs.toLetters(text.replace(/\/\/.*|\/\*[^]*?\*\//g, ' ')).replace(/[{}]/g, ' ').trim();
    rest = rest.replace(/^cql\s*\(\s*\)/, '');
    const word = /\s*(?:(flipcolor|flipvertical|shift|wtm|btm|true)(?![\w$])|#\s*\[Aa\]\s*==\s*\d+()|not\s+\[Pp\](\[[^\]]*\]|[a-h1-8-]+)|([KQRBNPAkqrbnpa_])([a-h][1-8])(?![\w$-]))/y;
    while (rest.slice(word.lastIndex).trim()) {
      const m = word.exec(rest);
      if (!m) return null;
      if (transforms.includes(m[1])) p[m[1]] = true;
      else if (m[1] === 'wtm' || m[1] === 'btm') p.side = m[1];
      else if (m[2] === '') p.only = true;
      else if (m[3]) {
        const list = listed(m[3]);
        if (!list) return null;
        for (const s of list) p.board[s] = 'x';
      } else if (m[4]) p.board[m[5]] = m[4];
    }
    // only what gives the same filters again is surely understood
    return sorted(write(p)) === sorted(rest.replace(/\s+/g, ' ')) ? p : null;
  }

  const sorted = text => text.replace(/[{}]/g, ' ').replace(/not (\S+)/g, 'not$1').replace(/# ?\[Aa\] ?== ?/g, '#[Aa]==').split(/\s+/).filter(w => w && w !== 'true').sort().join(' ');

  function fromFen(text) {
    if (!/^[pnbrqkPNBRQK1-8]+(\/[pnbrqkPNBRQK1-8]+){7}/.test(text)) return false;
    const read = cqlgenBoards.readFen(text.includes(' ') ? text : text + ' w - - 0 1');
    now.board = read.board;
    now.side = text.includes(' ') ? (read.side === 'b' ? 'btm' : 'wtm') : '';
    return true;
  }

  // ---- the board ----

  function picture(mark) {
    if (!/^[KQRBNPkqrbnp]$/.test(mark)) return make('span', { className: 'sign' + (mark === 'x' ? ' struck' : ''), 'aria-hidden': 'true', textContent: special[mark] || '' });
    const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg'), use = document.createElementNS('http://www.w3.org/2000/svg', 'use');
    svg.setAttribute('viewBox', '0 0 45 45');
    svg.setAttribute('aria-hidden', 'true');
    use.setAttribute('href', '#' + mark.toLowerCase());
    use.setAttribute('class', mark < 'a' ? 'w' : 'b');
    svg.append(use);
    return svg;
  }

  function draw() {
    for (const e of byId('men').querySelectorAll('button')) {
      const s = e.dataset.square, mark = now.board[s] || '';
      const names = [...(s[0] === 'a' ? [make('span', { className: 'where', 'aria-hidden': 'true', textContent: s[1] })] : []),
        ...(s[1] === '1' ? [make('span', { className: 'where file', 'aria-hidden': 'true', textContent: s[0] })] : [])];
      e.replaceChildren(...(mark ? [picture(mark)] : []), ...names);
      e.setAttribute('aria-label', s + ', ' + marks[mark]);
      e.tabIndex = s === at ? 0 : -1;
    }
    for (const e of byId('palette').children) {
      e.setAttribute('aria-checked', e.dataset.mark === chosen);
      e.tabIndex = e.dataset.mark === chosen ? 0 : -1;
    }
    byId('position-side').value = now.side;
    byId('position-only').checked = now.only;
    for (const t of transforms) byId('position-' + t).checked = now[t];
    byId('position-cql').textContent = write(now);
  }

  function put(square, mark) {
    if (mark) now.board[square] = mark;
    else delete now.board[square];
    at = square;
    changed();
  }

  // While the query is a position, it follows the board.
  function changed() {
    draw();
    const follows = isOurs();
    byId('position-said').textContent = follows ? 'The query follows the board.' : 'The query says more than a position. It changes when you choose to below.';
    if (follows) use(false);
  }

  const isOurs = () => /^\s*(true|mate)?\s*$/.test(editor.text()) || read(editor.text()) !== null;

  // Writes the position as the query; its comment stays.
  function use(focus) {
    const comment = /^(?:\s*\/\/[^\n]*\n)*/.exec(editor.text())[0];
    editor.set(comment + write(now));
    if (focus) editor.focus();
  }

  const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

  function boardKeys(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (step[event.key]) {
      const file = at.charCodeAt(0) - 97 + step[event.key][0], rank = +at[1] + step[event.key][1];
      if (file < 0 || file > 7 || rank < 1 || rank > 8) return;
      at = 'abcdefgh'[file] + rank;
      draw();
      byId('men').querySelector(`[data-square=${at}]`).focus();
    } else if (event.key !== '' && event.key in marks) {
      put(at, event.key);
    } else if (event.key === 'Delete' || event.key === 'Backspace') {
      put(at, '');
    } else {
      return;
    }
    event.preventDefault();
  }

  function build() {
    const rows = [];
    for (let y = 0; y < 8; y++)
      rows.push(make('div', { role: 'row' }, ...squares.slice(8 * y, 8 * y + 8).map((s, x) => {
        const e = make('button', { type: 'button', role: 'gridcell', className: 'cell ' + ((x + y) % 2 ? 'dark-square' : 'light-square'), draggable: true });
        e.dataset.square = s;
        return e;
      })));
    byId('men').append(...rows);
    byId('palette').append(...Object.keys(marks).map(mark => {
      const e = make('button', { type: 'button', role: 'radio', title: marks[mark], 'aria-label': marks[mark] }, picture(mark));
      e.dataset.mark = mark;
      return e;
    }));
  }

  function listen() {
    const cell = event => event.target.closest('[data-square]');
    const board = byId('men');
    board.addEventListener('click', event => {
      const e = cell(event);
      if (e) put(e.dataset.square, now.board[e.dataset.square] === chosen ? '' : chosen);
    });
    board.addEventListener('contextmenu', event => {
      event.preventDefault();
      if (cell(event)) put(cell(event).dataset.square, '');
    });
    board.addEventListener('dragstart', event => { dragged = cell(event).dataset.square; });
    board.addEventListener('dragover', event => event.preventDefault());
    board.addEventListener('drop', event => {
      event.preventDefault();
      const to = cell(event), mark = now.board[dragged];
      if (!to || !mark || to.dataset.square === dragged) return;
      delete now.board[dragged];
      put(to.dataset.square, mark);
    });
    board.addEventListener('keydown', boardKeys);
    board.addEventListener('focusin', event => {
      if (cell(event)) at = cell(event).dataset.square;
    });
    const palette = byId('palette');
    const choose = mark => {
      chosen = mark;
      draw();
      palette.querySelector('[aria-checked=true]').focus();
    };
    palette.addEventListener('click', event => {
      const e = event.target.closest('[data-mark]');
      if (e) choose(e.dataset.mark);
    });
    palette.addEventListener('keydown', event => {
      const all = Object.keys(marks), by = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[event.key];
      if (!by) return;
      event.preventDefault();
      choose(all[(all.indexOf(chosen) + by + all.length) % all.length]);
    });
  }

  function mount() {
    build();
    listen();
    byId('position-side').onchange = () => { now.side = byId('position-side').value; changed(); };
    byId('position-only').onchange = () => { now.only = byId('position-only').checked; changed(); };
    for (const t of transforms) byId('position-' + t).onchange = () => { now[t] = byId('position-' + t).checked; changed(); };
    byId('position-fen').onchange = () => {
      if (fromFen(byId('position-fen').value.trim())) changed();
      else byId('position-said').textContent = 'This is not a FEN: write one such as 8/8/8/8/8/8/5k2/7K w - - 0 1.';
    };
    byId('position-use').onclick = () => use(true);
    byId('position-insert').onclick = () => editor.insert(write(now).startsWith('{') ? write(now) : `{ ${write(now)} }`);
    byId('position-clear').onclick = () => { now = empty(); changed(); };
  }

  // Called when the view comes into sight: a query that is a position goes on the board.
  function show() {
    const p = read(editor.text());
    if (p) now = p;
    draw();
    byId('position-said').textContent = p || isOurs() ? 'The query follows the board.' : 'The query says more than a position: the board does not show it.';
  }

  return { mount, show };
})();
