// ---- the explorer: moves and results in a position ----
const explorer = (() => {
  const START = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1';
  const svgName = 'http://www.w3.org/2000/svg';
  const svg = document.createElementNS(svgName, 'svg');
  let node = null, moves = [], from = '', running = null;
  const options = () => state.now.explorer;

  // A position of cqlgenBoards after a move such as e2e4, e1g1 or e7e8q.
  function after(before, uci) {
    const a = uci.slice(0, 2), b = uci.slice(2, 4), piece = before.board[a] || '', m = [uci, a, b];
    const files = Math.abs(a.charCodeAt(0) - b.charCodeAt(0));
    if (/[Kk]/.test(piece) && files > 1) [m[3], m[4]] = b[0] > a[0] ? ['h' + a[1], 'f' + a[1]] : ['a' + a[1], 'd' + a[1]];
    if (/[Pp]/.test(piece) && files === 1 && !before.board[b]) m[5] = '-' + b[0] + a[1];
    if (uci[4]) m[6] = uci[4];
    return cqlgenBoards.position({ parent: before, move: m, next: [], rings: [], arrows: [], drawings: [], ply: before.ply + 1, number: before.number, first: before.first });
  }

  function rebuild() {
    node = Object.assign(cqlgenBoards.readFen(options().start || START), { rings: [], arrows: [], drawings: [] });
    for (const [uci] of options().moves) node = after(node, uci);
  }

  const fen = () => node.parent ? cqlgenBoards.fenOf(node) : options().start || START;

  // ---- the board ----

  function draw() {
    node.arrows = from ? moves.filter(m => m.uci.startsWith(from)).flatMap(m => [from, m.uci.slice(2, 4)]) : moves.slice(0, 3).flatMap(m => [m.uci.slice(0, 2), m.uci.slice(2, 4)]);
    node.rings = from ? [from] : [];
    cqlgenBoards.draw(svg, node, options().flipped);
    svg.setAttribute('aria-label', 'Board: ' + fen());
    byId('explorer-fen').value = fen();
    byId('explorer-line').textContent = lineText() || 'From the start';
    byId('explorer-back').disabled = byId('explorer-start').disabled = !options().moves.length && !options().start;
  }

  function lineText() {
    const root = cqlgenBoards.readFen(options().start || START), black = root.side === 'b';
    return options().moves.map(([, san], i) => {
      const ply = i + black, n = root.number + (ply >> 1);
      return (ply % 2 === 0 ? n + '. ' : i === 0 ? n + '… ' : '') + san;
    }).join(' ');
  }

  function squareAt(event) {
    const box = svg.getBoundingClientRect(), x = Math.floor(8 * (event.clientX - box.left) / box.width), y = Math.floor(8 * (event.clientY - box.top) / box.height);
    return options().flipped ? 'abcdefgh'[7 - x] + (y + 1) : 'abcdefgh'[x] + (8 - y);
  }

  // A click chooses the piece, the next one where it goes.
  function click(event) {
    const square = squareAt(event), move = from && moves.find(m => m.uci.startsWith(from + square));
    if (move) return play(move);
    from = moves.some(m => m.uci.startsWith(square)) ? square : '';
    draw();
  }

  // ---- moves ----

  function play(move) {
    options().moves.push([move.uci, move.san]);
    changed();
  }

  function changed() {
    from = '';
    moves = [];
    state.write();
    rebuild();
    draw();
    load();
  }

  // Shows the moves of a position: a FEN.
  function open(position) {
    Object.assign(options(), { start: position === START ? '' : position, moves: [] });
    views.show('explorer');
    changed();
  }

  async function load() {
    if (running) running.abort();
    const mine = running = new AbortController(), said = byId('explorer-said');
    const query = options().query ? state.members() : { databases: state.now.databases || undefined };
    said.textContent = 'Searching …';
    byId('explorer-moves').inert = true; // the moves of the position before
    try {
      await api.listen('/explore', { ...query, position: fen() }, (name, data) => {
        if (running !== mine) return;
        if (name === 'table') table(data);
        else if (name === 'diagnostics') editor.showProblems(data.diagnostics);
        else if (name === 'progress' && data.part !== null) said.textContent = `Searching … ${Math.round(100 * data.part)}\u00a0%`;
        else if (name === 'message' && data.severity === 'error') said.textContent = data.text;
        else if (name === 'end' && data.status === 'failed') said.textContent = 'The search failed.';
      }, mine.signal);
    } catch (error) {
      if (!api.stopped(error)) said.textContent = error.message;
    }
    if (running === mine && byId('explorer-moves').inert) byId('explorer-moves').replaceChildren();
  }

  function table(t) {
    moves = t.moves || [];
    byId('explorer-said').textContent = t.games ? `${counted(t.games, 'game')} reach this position` + (t.score === null ? '.' : `; White scores ${t.score}\u00a0%.`) : 'No game reaches this position.';
    const rows = moves.map(m => {
      const row = make('tr', {}, make('td', {}, make('button', { type: 'button', className: 'plain move', textContent: m.san, onclick: () => play(m) })),
        make('td', { className: 'n', textContent: number(m.games) }), make('td', { className: 'n', textContent: m.share.toFixed(1) + '\u00a0%' }), make('td', {}, resultBar(m.white, m.draws, m.black)),
        make('td', { className: 'n wide', textContent: m.rating === null ? '' : m.rating }), make('td', { className: 'n wide', textContent: m.last_year === null ? '' : m.last_year }));
      row.onmouseenter = () => { node.arrows = [m.uci.slice(0, 2), m.uci.slice(2, 4)]; cqlgenBoards.draw(svg, node, options().flipped); };
      row.onmouseleave = draw;
      return row;
    });
    const head = [['Move', ''], ['Games', 'n'], ['Share', 'n'], ['Results', ''], ['Rating', 'n wide'], ['Last', 'n wide']];
    const parts = rows.length ? [make('table', {}, make('thead', {}, make('tr', {}, ...head.map(([textContent, className]) => make('th', { scope: 'col', textContent, className })))), make('tbody', {}, ...rows))] : [];
    if (t.best && t.best.length) parts.push(make('h3', { textContent: 'Games' }), make('ul', { className: 'best' }, ...t.best.map(g => make('li', {},
      make('button', { type: 'button', className: 'plain', onclick: () => openGame(g.game) }, make('bdi', { textContent: g.white }), ' – ', make('bdi', { textContent: g.black })),
      ` ${resultSign(g.result)}`, make('span', { className: 'soft', textContent: [' ' + (g.event || ''), g.year].filter(Boolean).join(', ') })))));
    byId('explorer-moves').replaceChildren(...parts);
    byId('explorer-moves').inert = false;
    byId('explorer-game').replaceChildren();
    draw();
  }

  // Shows one of the best games, at the position of the board.
  async function openGame(number) {
    const box = byId('explorer-game'), here = fen().split(' ', 2).join(' ');
    try {
      const player = await games.fetchInto(box, number, { query: 'false', databases: state.now.databases || undefined });
      player.show(player.nodes.find(n => cqlgenBoards.fenOf(n).startsWith(here + ' ')));
      box.scrollIntoView({ block: 'nearest' });
      box.querySelector('.player svg').focus();
    } catch (error) {
      if (!api.stopped(error)) box.textContent = error.message;
    }
  }

  function mount() {
    svg.setAttribute('class', 'diagram');
    svg.setAttribute('viewBox', '0 0 360 360');
    svg.setAttribute('role', 'img');
    svg.addEventListener('click', click);
    byId('explorer-board').append(svg);
    byId('explorer-start').onclick = () => {
      Object.assign(options(), { start: '', moves: [] });
      changed();
    };
    byId('explorer-back').onclick = () => {
      if (options().moves.length) options().moves.pop();
      else options().start = '';
      changed();
    };
    byId('explorer-flip').onclick = () => {
      options().flipped = !options().flipped;
      state.write();
      draw();
    };
    byId('explorer-fen').onchange = () => place(byId('explorer-fen').value.trim());
    byId('explorer-query').onchange = () => {
      options().query = byId('explorer-query').checked;
      changed();
    };
  }

  // A FEN, or moves, which the server plays.
  async function place(text) {
    if (/^[pnbrqkPNBRQK1-8]+(\/[pnbrqkPNBRQK1-8]+){7}/.test(text)) {
      const fields = text.split(/\s+/);
      return open([fields[0], fields[1] || 'w', fields[2] || '-', fields[3] || '-', '0', fields[5] || '1'].join(' '));
    }
    try {
      await api.listen('/explore', { position: text || START, databases: state.now.databases || undefined }, (name, data) => {
        if (name === 'table') open(data.fen);
        else if (name === 'message') byId('explorer-said').textContent = data.text;
      });
    } catch (error) {
      byId('explorer-said').textContent = error.message;
    }
  }

  // Called when the view comes into sight.
  function show() {
    byId('explorer-query').checked = options().query;
    if (!node || !moves.length || options().query) changed();
  }

  return { mount, show, open };
})();
