// Plays through the games of a page (runtime/format/html.c). Without it the page has diagrams and moves.
'use strict';
(() => {
  const svgName = 'http://www.w3.org/2000/svg';
  const startFen = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1';
  const cell = 45;

  // ---- games ----

  // A position: piece letters by square, castling rights, and the side to move.
  function readFen(fen) {
    const fields = fen.split(' '), [rows, side, castling] = fields, number = fields.pop(), board = {};
    // without the pockets and marks of Crazyhouse
    rows.replace(/\[.*|~/g, '').split('/').forEach((row, y) => {
      let x = 0;
      for (const c of row) {
        if (c > '0' && c < '9') x += +c;
        else board['abcdefgh'[x++] + (8 - y)] = c;
      }
    });
    const passant = /^[a-h][36]$/.test(fields[3]) ? fields[3] : '-';
    return { board, side, castling, passant, ply: 0, number: +number || 1, first: side, parent: null, next: [], element: null };
  }

  // The position after a move: squares as in data-moves, nothing about the rules.
  function play(before, m) {
    const board = { ...before.board }, from = m[1], to = m[2], piece = board[from];
    let castling = before.castling, passant = '-';
    if (from) {
      const rook = m[3] && board[m[3]];
      delete board[from];
      if (m[3]) delete board[m[3]];
      board[to] = !m[6] ? piece : before.side === 'w' ? m[6].toUpperCase() : m[6];
      for (const s of (m[5] || '').split('-')) delete board[s]; // en passant, explosions
      if (m[3]) board[m[4]] = rook;
      const lost = { e1: 'KQ', h1: 'K', a1: 'Q', e8: 'kq', h8: 'k', a8: 'q' };
      for (const c of (lost[from] || '') + (lost[to] || '')) castling = castling.replace(c, '');
      const beside = [-1, 1].map(by => board[String.fromCharCode(to.charCodeAt(0) + by) + to[1]]);
      if (/[Pp]/.test(piece) && Math.abs(from[1] - to[1]) === 2 && beside.includes(piece === 'P' ? 'p' : 'P')) passant = from[0] + (+from[1] + +to[1]) / 2;
    }
    return { board, side: before.side === 'w' ? 'b' : 'w', castling: castling || '-', passant, from, to };
  }

  // The tree of data-moves: moves in the order of the text, variations in parentheses.
  function readGame(section) {
    const root = readFen(section.dataset.fen || startFen), nodes = [root], open = [];
    const elements = [...section.querySelectorAll('.moves i')];
    let at = root;
    if (elements.length && elements[0].dataset.start !== undefined) root.element = elements.shift();
    const words = /[()]|--|([a-h]\d)([a-h]\d)(?:\+([a-h]\d)([a-h]\d)|((?:-[a-h]\d)+)|=(.))?/g;
    for (const m of section.dataset.moves.matchAll(words)) {
      if (m[0] === '(') {
        open.push(at);
        at = at.parent;
      } else if (m[0] === ')') {
        at = open.pop();
      } else {
        const node = { parent: at, move: m, next: [], element: elements[nodes.length - 1], ply: at.ply + 1, number: root.number, first: root.first };
        at.next.push(node);
        nodes.push(at = node);
      }
    }
    for (const node of nodes) {
      const hit = node.element && node.element.closest('b');
      node.hit = !!hit;
      node.rings = squares(hit && hit.dataset.r);
      node.arrows = squares(hit && hit.dataset.a);
      node.end = endOf(node === root ? section.querySelector('.moves') : node.element);
      node.drawings = drawings(node === root ? section.querySelector('.moves') : node.element);
      for (let e = node.element && last(node.element).nextElementSibling; e && /^(TIME|DATA)$/.test(e.tagName); e = e.nextElementSibling)
        node[e.tagName === 'TIME' ? 'clock' : 'score'] = e.textContent.trim();
    }
    return nodes;
  }

  // How the game has ended, within a sentence.
  function endOf(element) {
    return (element && element.dataset.end || '').replace(/^[CSD]/, letter => letter.toLowerCase());
  }

  // The outermost of the marks around a move.
  function last(element) {
    while (!element.parentNode.matches('.moves, .line')) element = element.parentNode;
    return element;
  }

  function squares(text) {
    return (text || '').match(/../g) || [];
  }

  // The coloured squares and arrows of a comment: [colour, square] or [colour, from, to].
  function drawings(element) {
    const colours = { R: 'red', G: 'green', Y: 'yellow', B: 'blue' };
    const text = element && element.dataset.d || '';
    return [...text.matchAll(/([RGYB])([a-h]\d)([a-h]\d)?/g)].map(m => [colours[m[1]], m[2], m[3]]);
  }

  function position(node) {
    if (!node.board) Object.assign(node, play(position(node.parent), node.move));
    return node;
  }

  function fenOf(node) {
    const p = position(node), rows = [];
    for (let y = 8; y > 0; y--)
      rows.push([...'abcdefgh'].map(x => p.board[x + y] || '1').join('').replace(/1+/g, ones => ones.length));
    return [rows.join('/'), p.side, p.castling, p.passant, '0', p.number + (p.ply + (p.first === 'b') >> 1)].join(' ');
  }

  // Where the men are, for those who do not see the board.
  function men(board) {
    const of = letters => [...letters].flatMap(c => Object.keys(board).sort().filter(square => board[square] === c)
      .map(square => c.toUpperCase().replace('P', '') + square)).join(', ') || 'none';
    return 'White: ' + of('KQRBNP') + '. Black: ' + of('kqrbnp') + '.';
  }

  function nameOf(node) {
    if (!node.parent) return 'Start';
    const plies = node.ply - 1 + (node.first === 'b');
    return (node.number + (plies >> 1)) + (plies % 2 ? '… ' : '. ') + node.element.textContent;
  }

  // ---- the board ----

  function shape(name, attributes, parent) {
    const e = document.createElementNS(svgName, name);
    for (const key in attributes) e.setAttribute(key, attributes[key]);
    parent.append(e);
    return e;
  }

  function corner(square, flipped) {
    const x = square.charCodeAt(0) - 97, y = 8 - square[1];
    return [cell * (flipped ? 7 - x : x), cell * (flipped ? 7 - y : y)];
  }

  // From the edge of the moving piece to the centre of its target square.
  function arrow(from, to, flipped) {
    const [x, y] = corner(from, flipped).map(v => v + cell / 2), end = corner(to, flipped);
    const dx = end[0] + cell / 2 - x, dy = end[1] + cell / 2 - y, length = Math.hypot(dx, dy) || 1;
    const points = [[14, 3], [length - 17, 3], [length - 17, 9], [length - 4, 0], [length - 17, -9], [length - 17, -3], [14, -3]];
    return 'M' + points.map(([along, aside]) =>
      Math.round(x + (dx * along - dy * aside) / length) + ' ' + Math.round(y + (dy * along + dx * aside) / length)).join('L') + 'z';
  }

  function draw(svg, node, flipped) {
    const p = position(node);
    svg.replaceChildren();
    shape('use', { href: '#squares' }, svg);
    for (let i = 0; i < 8; i++) {
      const tone = i % 2 ? 'on-light' : 'on-dark';
      shape('text', { class: tone, x: cell * i + 36, y: 356 }, svg).textContent = 'abcdefgh'[flipped ? 7 - i : i];
      shape('text', { class: tone, x: 3, y: cell * (7 - i) + 12 }, svg).textContent = flipped ? 8 - i : i + 1;
    }
    for (const square of p.from ? [p.from, p.to] : []) {
      const [x, y] = corner(square, flipped);
      shape('rect', { class: 'last', x, y, width: cell, height: cell }, svg);
    }
    for (const [colour, from, to] of node.drawings) {
      const [x, y] = corner(from, flipped);
      if (!to) shape('rect', { class: 'tint ' + colour, x, y, width: cell, height: cell }, svg);
    }
    for (const square of node.rings) {
      const [x, y] = corner(square, flipped);
      shape('circle', { class: 'found', cx: x + 22.5, cy: y + 22.5, r: 20.5 }, svg);
    }
    for (const square in p.board) {
      const [x, y] = corner(square, flipped), piece = p.board[square];
      shape('use', { href: '#' + piece.toLowerCase(), class: piece < 'a' ? 'w' : 'b', x, y, 'data-square': square }, svg);
    }
    for (const [colour, from, to] of node.drawings)
      if (to) shape('path', { class: 'draw ' + colour, d: arrow(from, to, flipped) }, svg);
    const moves = node.arrows.length ? node.arrows : node.next.filter(n => n.element.closest('u') && n.move[1]).flatMap(n => [n.move[1], n.move[2]]);
    for (let i = moves.length - 2; i >= 0; i -= 2)
      if (moves[i] !== moves[i + 1]) // not a drop
        shape('path', { class: i && node.arrows.length ? 'next later' : 'next', d: arrow(moves[i], moves[i + 1], flipped) }, svg);
  }

  // ---- a game on the page ----

  const players = new WeakMap();
  let used = null;

  function make(name, properties, ...children) {
    const e = Object.assign(document.createElement(name), properties);
    e.append(...children);
    return e;
  }

  const glyphs = {
    start: 'M5 4h2v16H5zM20 4v16L8 12z', back: 'M17 4v16L6 12z', forward: 'M7 4v16l11-8z', end: 'M17 4h2v16h-2zM4 4v16l12-8z',
    previous: 'M13 4v16L3 12zM18 9a3 3 0 1 1 0 6 3 3 0 0 1 0-6z', next: 'M11 4v16l10-8zM6 9a3 3 0 1 1 0 6 3 3 0 0 1 0-6z',
    flip: 'M8 3l5 6H9.5v9h-3V9H3zM16 21l-5-6h3.5V6h3v9H21z'
  };

  function button(glyph, label, action) {
    const e = make('button', { type: 'button', title: label, onclick: action }), svg = shape('svg', { viewBox: '0 0 24 24', 'aria-hidden': true }, e);
    shape('path', { d: glyphs[glyph] }, svg);
    e.setAttribute('aria-label', label);
    return e;
  }

  function build(section) {
    if (players.has(section)) return players.get(section);
    const nodes = readGame(section), hits = nodes.filter(n => n.hit);
    const names = section.querySelectorAll('h2 bdi');
    const bars = [0, 1].map(i => make('div', { className: 'bar' }, make('span', { textContent: names[i] ? names[i].textContent : i ? 'Black' : 'White' })));
    const player = make('div', { className: 'player' }), now = make('p', { className: 'now' }), said = make('span');
    const svg = shape('svg', { class: 'diagram', viewBox: '0 0 360 360', role: 'img', tabindex: 0 }, player);
    const game = { section, nodes, at: null, flipped: false };
    const end = node => { while (node.next.length) node = node.next[0]; return node; };
    const moves = {
      start: () => nodes[0], back: () => game.at.parent, forward: () => game.at.next[0], end: () => end(game.at),
      previous: () => hits.filter(n => nodes.indexOf(n) < nodes.indexOf(game.at)).pop(),
      next: () => hits.find(n => nodes.indexOf(n) > nodes.indexOf(game.at))
    };
    game.show = node => {
      if (!node) return;
      if (game.at && game.at.element) game.at.element.classList.remove('here');
      game.at = node;
      if (node.element) reveal(node.element);
      game.redraw();
    };
    game.step = name => game.show(moves[name]());
    game.fen = () => fenOf(game.at);
    game.redraw = () => {
      const node = game.at, p = position(node), side = p.side === 'w' ? 'White' : 'Black', name = nameOf(node);
      draw(svg, node, game.flipped);
      const status = node.end || side + ' to move';
      svg.setAttribute('aria-label', name + '. ' + men(p.board) + ' ' + status);
      said.textContent = name + (node.score ? ' (' + node.score + ')' : '') + ', ' + status + (node.hit ? ', found' : '');
      now.lastChild.href = 'https://lichess.org/analysis/' + fenOf(node).replace(/ /g, '_');
      bars.forEach((bar, i) => {
        const clock = clockOf(node, i);
        bar.className = (side === 'Black') === (i === 1) ? 'bar turn' : 'bar';
        if (bar.children[1]) bar.children[1].remove();
        if (clock) bar.append(make('time', { textContent: clock }));
      });
      player.prepend(bars[game.flipped ? 0 : 1]);
      svg.after(bars[game.flipped ? 1 : 0]);
      for (const e of player.querySelectorAll('button[data-move]')) {
        const target = moves[e.dataset.move]();
        e.setAttribute('aria-disabled', !target || target === node); // a disabled button would lose the focus
      }
    };
    const labels = { start: 'Start', previous: 'Previous match', back: 'Back', forward: 'Forward', next: 'Next match', end: 'End of the line' };
    const buttons = make('div', { className: 'buttons' });
    for (const name in labels) {
      if (!hits.length && /^(previous|next)$/.test(name)) continue;
      const e = button(name, labels[name], () => { used = game; game.step(name); });
      e.dataset.move = name;
      buttons.append(e);
    }
    buttons.append(button('flip', 'Flip the board', () => { used = game; game.flip(); }));
    game.flip = () => { game.flipped = !game.flipped; game.redraw(); };
    said.setAttribute('aria-live', 'polite');
    now.append(said, make('a', { textContent: 'analyse', rel: 'noopener noreferrer', target: '_blank' }));
    player.append(buttons, now);
    section.querySelector('.moves').before(player);
    listen(game, svg);
    players.set(section, game);
    section.classList.add('play');
    game.show(hits[0] || nodes[0]);
    return game;
  }

  // The last clock of a side: 0 is White.
  function clockOf(node, side) {
    for (let n = node; n.parent; n = n.parent)
      if (n.clock && (position(n).side === 'b') === (side === 0)) return n.clock;
    return '';
  }

  // Scrolls the list of moves, not the page.
  function reveal(element) {
    const list = element.closest('.moves'), box = list.getBoundingClientRect(), e = element.getBoundingClientRect();
    element.classList.add('here');
    if (list.scrollHeight > list.clientHeight && (e.top < box.top || e.bottom > box.bottom))
      list.scrollTop += e.top - box.top - box.height / 3;
  }

  function listen(game, svg) {
    let start = null;
    game.section.addEventListener('click', event => {
      const move = event.target.closest('.moves i'), figure = event.target.closest('figure');
      const node = game.nodes.find(n => n.element && (n.element === move || (figure && leads(n.element, '#' + figure.id))));
      if (!node || event.target.closest('figure a')) return;
      event.preventDefault();
      used = game;
      game.show(node);
      if (figure) svg.scrollIntoView({ block: 'nearest' });
    });
    svg.addEventListener('touchstart', event => { start = event.touches.length === 1 ? event.touches[0] : null; }, { passive: true });
    svg.addEventListener('touchend', event => {
      const end = event.changedTouches[0], dx = start ? end.clientX - start.clientX : 0, dy = start ? end.clientY - start.clientY : 0;
      used = game;
      if (Math.abs(dx) > 30 && Math.abs(dx) > 2 * Math.abs(dy)) game.step(dx < 0 ? 'forward' : 'back');
      start = null;
    });
  }

  function leads(element, hash) {
    const link = element.closest('a');
    return !!link && link.getAttribute('href') === hash;
  }

  // The game for the keyboard: that with the focus, else the one used last if it is in view, else the one in the middle.
  function current() {
    const focused = document.activeElement && document.activeElement.closest('section');
    const inView = section => {
      const box = section.getBoundingClientRect();
      return box.top < innerHeight * .8 && box.bottom > innerHeight * .2;
    };
    if (focused) return build(focused);
    if (used && inView(used.section)) return used;
    const section = [...document.querySelectorAll('section[data-moves]')].find(inView);
    return section && build(section);
  }

  const keys = { ArrowLeft: 'back', ArrowRight: 'forward', p: 'previous', n: 'next', Home: 'start', End: 'end', f: 'flip' };
  document.addEventListener('keydown', event => {
    const action = keys[event.key];
    if (!action || event.defaultPrevented || event.target.isContentEditable || event.target.closest('input, textarea, select, dialog, [role=grid]') || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
    if (/^(Home|End)$/.test(event.key) && !document.activeElement.closest('section')) return; // of the page
    const game = current();
    if (!game) return;
    event.preventDefault();
    used = game;
    if (action === 'flip') game.flip();
    else game.step(action);
  });

  // A link to a diagram shows its position.
  function follow() {
    const link = /^#(q\d+-)?g\d+p\d+$/.test(location.hash) && document.querySelector('.moves a[href="' + location.hash + '"]');
    if (!link) return;
    const game = build(link.closest('section'));
    game.show(game.nodes.find(n => n.element && leads(n.element, location.hash)));
    game.section.scrollIntoView();
  }

  const first = document.querySelector('section[data-moves]');
  if (first)
    first.before(make('p', { className: 'hint', textContent: 'Keys: ← and → play through a game, n and p go to the next and previous match, f flips the board.' }));
  const seen = new IntersectionObserver(entries => {
    for (const entry of entries)
      if (entry.isIntersecting) {
        seen.unobserve(entry.target);
        build(entry.target);
      }
  }, { rootMargin: '800px' });
  for (const section of document.querySelectorAll('section[data-moves]')) seen.observe(section);
  addEventListener('hashchange', follow);
  follow();
  // For pages on which games and positions appear later.
  window.cqlgenBoards = { build, draw, readFen, position, fenOf };
})();
