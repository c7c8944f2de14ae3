// ---- counts: tables, bars, heat maps ----
const counts = (() => {
  const OWN = 'own';
  // [key, what the page calls it]; the groups of the menu
  const keys = {
    'Game': [['result', 'result'], ['year', 'year'], ['year/10', 'decade'], ['month', 'month'], ['elo/100', 'average rating'], ['white_elo/100', 'rating of White'],
      ['black_elo/100', 'rating of Black'], ['ply_count/20', 'length of the game'], ['file', 'database']],
    'Names': [['player', 'player'], ['White', 'White'], ['Black', 'Black'], ['opponent', 'opponent'], ['Event', 'event'], ['Site', 'site']],
    'Opening': [['eco', 'ECO code'], ['eco/1', 'ECO volume'], ['line', 'moves from the start']],
    'Position and next move': [['side', 'side to move'], ['ply/10', 'half-moves from the start'], ['material', 'material'], ['move', 'next move'], ['piece', 'piece that moves'],
      ['from', 'square it leaves'], ['to', 'square it goes to'], ['captured', 'man captured'], ['promotion', 'promotion'], ['men', 'men still on the board']],
    'Squares': [['{K}', 'white king'], ['k', 'black king'], ['[Qq]', 'queens'], ['{P}', 'white pawns'], ['p', 'black pawns'], [OWN, 'an expression of CQL …']]
  };
  let running = null, groups = [], shownKeys = [], asked = '';
  const options = () => state.now.counts;

  // ---- the filter that a group stands for ----

  const quoted = text => /["\\]/.test(text) ? null : '"' + text + '"';
  const band = value => (/^(-?\d+)(?:-(\d+))?$/.exec(value) || []).slice(1).map(n => n === undefined ? n : +n);

  // A range of a number of CQL; null when the value is not one.
  function inBand(expression, value) {
    const [low, high] = band(value);
    return low === undefined ? null : high === undefined ? `${expression} == ${low}` : `${low} <= ${expression} <= ${high}`;
  }

  function tagIs(tag, value) {
    const text = quoted(value);
    return text && `tag "${tag}" == ${text}`;
  }

  const sided = (white, black) => white && `{${white} or ${black}}`;

  // A value of an expression: a square of a set, or a number.
  function valueIs(key, value, square) {
    const [, name, part] = /^(\w+)(\/\d+)?$/.exec(key) || [0, key], expression = /^\{.*\}$/.test(name) ? name : `{${name}}`;
    if (square) return /^\{(?:\[[A-Za-z]+\]|[KQRBNPkqrbnpAa])\}$/.test(expression) ? expression.slice(1, -1) + value : `${expression} & ${value}`;
    return part ? inBand(expression, value) : /^-?\d+$/.test(value) ? `${expression} == ${value}` : null;
  }

  // The men of `KRP-KR`.
  function menAre(value) {
    const sides = /^([KQRBNP]*)-([KQRBNP]*)$/.exec(value);
    if (!sides) return null;
    return [sides[1], sides[2].toLowerCase()].map((men, black) => {
      const letters = [...(black ? 'kqrbnp' : 'KQRBNP')], amount = c => men.split(c).length - 1, absent = letters.filter(c => !amount(c)).join('');
      const present = letters.filter(c => amount(c) > (/k/i.test(c) ? 1 : 0)); // one king is usual
      return [...present.map(c => `#${c} == ${amount(c)}`), absent && `#[${absent}] == 0`].filter(Boolean).join(' ');
    }).join(' ');
  }

  // A move in SAN. Two men can go there if, and only if, it says where its man comes from.
  function moveIs(value) {
    const m = /^(?:(O-O(?:-O)?)|([KQRBN]?)([a-h]?[1-8]?)(x?)([a-h][1-8])(?:=([QRBN]))?)([+#]?)$/.exec(value);
    if (!m) return null;
    const [, castling, piece, from, taken, to, promoted, sign] = m, either = piece ? `[${piece}${piece.toLowerCase()}]` : '[Pp]';
    const origin = /^[a-h]$/.test(from) ? from + '1-8' : /^[1-8]$/.test(from) ? 'a-h' + from : from || (piece ? '' : to[0] + '1-8');
    const move = castling ? '--' : either + origin + (taken ? '[x]' : '--') + to + (promoted ? '=' + promoted : '');
    const after = [castling ? castling.toLowerCase() : piece === 'R' && 'not castle', { '+': 'check not mate', '#': 'mate' }[sign] || 'not check'].filter(Boolean).join(' ');
    const one = piece && piece !== 'K' ? ` {move count legal from ${either} to ${to}} ${from ? '>' : '=='} 1` : '';
    return (taken || castling || !piece ? '' : `_${to} `) + `${move}(${after})` + one;
  }

  // The filter for the games of one value of a key; null when there is none.
  function condition(key, value) {
    const name = key.replace(/\/\d+$/, ''), square = /^[a-h][1-8]$/.test(value), man = /^[KQRBNPkqrbnp]$/.test(value);
    if (value === null || value === undefined || value === '') return null;
    switch (name) {
      case 'result': return /^(1-0|0-1|1\/2-1\/2)$/.test(value) ? 'result ' + value : 'not {result 1-0 or result 0-1 or result 1/2-1/2}';
      case 'year': return inBand('year', value);
      case 'ply': return inBand('ply', value);
      case 'white_elo': return inBand('elo white', value);
      case 'black_elo': return inBand('elo black', value);
      case 'month': return /^\d{4}\.\d\d$/.test(value) ? `date "${value}"` : null;
      case 'eco': return quoted(value) && `eco ${quoted(value)}`;
      case 'player': case 'opponent': return quoted(value) && sided(`player white == ${quoted(value)}`, `player black == ${quoted(value)}`);
      case 'White': case 'Black': case 'Event': case 'Site': return tagIs(name, value);
      case 'side': return value === 'white' ? 'wtm' : 'btm';
      case 'from': return square ? value + '--' + (/[ah][18]/.test(value) ? '(not castle)' : '') : null; // castling moves the rook, too
      case 'to': return square ? '--' + value + (/[df][18]/.test(value) ? '(not castle)' : '') : null;
      case 'piece': return man ? value + '--' + (/r/i.test(value) ? '(not castle)' : '') : null;
      case 'captured': return man ? '[x]' + value : null;
      case 'promotion': return man ? (value < 'a' ? 'wtm' : 'btm') + ' --=' + value.toUpperCase() : null;
      case 'move': return moveIs(value);
      case 'material': return menAre(value);
      case 'elo': return `elo white > 0 elo black > 0 ${inBand('(elo white + elo black) / 2', value)}`;
      case 'ply_count': return `find {terminal ${inBand('ply', value)}}`;
      case 'line': return /^1\.[^.]/.test(value) ? `exactfen "${value}"` : null; // and by other orders of the moves
      case 'men': return /^[KQRBNPkqrbnp][a-h][1-8]$/.test(value) ? `find <-- {initial piece man_${value} = ${value}} man_${value}` : null;
      default: return valueIs(key, value, square);
    }
  }

  // What finds the games of a group: conditions of the search and, with the key `file`, a database; null when nothing does.
  function filterOf(group) {
    const out = { where: [], databases: state.now.databases };
    for (const key of shownKeys) {
      const value = group.group[key], name = key === 'file' ? sources.nameOf(value) : condition(key, value);
      if (!name) return null;
      if (key === 'file') out.databases = [name];
      else out.where.push(name);
    }
    return { ...out, title: 'Show these games: ' + [...(shownKeys.includes('file') ? out.databases : []), ...out.where].join(', ') };
  }

  // Searches the games of a group.
  function open({ where, databases }) {
    state.now.where = byId('where').value = [state.now.where.trim(), ...where].filter(Boolean).join(' ');
    if (where.length) byId('conditions').open = true;
    sources.choose(databases);
    search.start();
  }

  // ---- the request ----

  const named = (name, own) => name === OWN ? own.trim() || 'k' : name;

  // What /count and /export take for the chosen table.
  function members() {
    const o = options(), out = { by: [named(o.key, o.own), o.second && named(o.second, o.own)].filter(Boolean).join(',') };
    if (o.per !== 'game') out.per = o.per;
    if (o.measure) out.measure = o.measure;
    if (o.order) out.order = o.order;
    return out;
  }

  // The count that is chosen, of the current query.
  function request() {
    const query = { ...state.members(), ...members() };
    delete query.limit;
    return query;
  }

  async function start() {
    if (running) running.abort();
    const mine = running = new AbortController(), query = request();
    asked = JSON.stringify(query);
    options().ran = true;
    state.write();
    byId('count-said').textContent = 'Counting …';
    byId('counts').replaceChildren();
    groups = [];
    try {
      await api.listen('/count', query, (name, data) => {
        if (running !== mine) return;
        if (name === 'table') {
          groups = Array.isArray(data) ? data : data.groups || [];
          shownKeys = groups.length ? Object.keys(groups[0].group) : [];
          draw();
        } else if (name === 'progress') {
          byId('count-said').textContent = `${number(data.games)} games` + (data.part === null ? '' : `, ${Math.round(100 * data.part)}\u00a0%`);
        } else if (name === 'diagnostics') {
          editor.showProblems(data.diagnostics);
        } else if (name === 'message') {
          byId('counts').prepend(make('p', {}, ...withCode(data.text)));
        } else if (name === 'end') {
          byId('count-said').textContent = data.status === 'failed' ? 'The count failed.' : `${number(data.matches)} of ${counted(data.games, 'game')} match; ${counted(groups.length, 'group')}.`;
        }
      }, mine.signal);
    } catch (error) {
      if (!api.stopped(error)) byId('count-said').textContent = error.message;
    }
  }

  // ---- how it is shown ----

  const amount = group => group.positions === undefined ? group.games : group.positions;
  const label = group => shownKeys.map(key => group.group[key] === null ? 'unknown' : key === 'result' ? resultSign(group.group[key]) : String(group.group[key])).join(' · ');
  const onBoard = () => shownKeys.length === 1 && groups.length > 0 && groups.every(g => g.group[shownKeys[0]] === null || /^[a-h][1-8]$/.test(g.group[shownKeys[0]]));

  function draw() {
    const board = onBoard(), as = options().as === 'board' && !board ? 'bars' : options().as;
    byId('count-as-board').hidden = !board;
    const old = byId('counts').querySelectorAll('p');
    byId('counts').replaceChildren(...old, groups.length === 0 ? make('p', { className: 'soft', textContent: 'No game matches.' }) : as === 'board' ? heat() : as === 'table' ? table() : bars());
  }

  // A button with the text when the group has a filter, else the text.
  function link(group, text) {
    const filter = filterOf(group);
    return filter ? make('button', { type: 'button', className: 'plain', title: filter.title, textContent: text, onclick: () => open(filter) }) : text;
  }

  function results(g) {
    if (g.won !== undefined) return resultBar(g.won, g.drawn, g.lost, ['won', 'drawn', 'lost']);
    return g.white === undefined ? null : resultBar(g.white, g.draws, g.black);
  }

  function bars() {
    const MOST = 300, most = Math.max(...groups.map(amount));
    const list = make('div', { className: 'bars', role: 'list' });
    for (const g of groups.slice(0, MOST)) {
      const bar = make('span', { className: 'bar' });
      bar.style.width = 100 * amount(g) / most + '%';
      const filter = filterOf(g);
      const e = make(filter ? 'button' : 'div', { className: 'group' }, make('span', { className: 'label', textContent: label(g) }),
        make('span', { className: 'track' }, bar), make('span', { className: 'n', textContent: number(amount(g)) }), make('span', { className: 'n soft', textContent: g.percent.toFixed(1) + '\u00a0%' }));
      if (filter) {
        e.type = 'button';
        e.title = filter.title;
        e.onclick = () => open(filter);
      }
      list.append(make('div', { role: 'listitem' }, e));
    }
    if (groups.length > MOST) list.append(make('p', { className: 'soft', textContent: `The first ${MOST} of ${number(groups.length)} groups; the table has all.` }));
    return list;
  }

  const measures = ['score', 'avg(elo)', 'avg(ply_count)'];

  function table() {
    const head = [...shownKeys, groups[0].positions === undefined ? 'games' : 'positions', '%', ...(groups[0].positions !== undefined && groups[0].games !== undefined ? ['games'] : []),
      ...measures.filter(m => m in groups[0]), ...(results(groups[0]) ? ['results'] : [])];
    const rows = groups.map(g => make('tr', {}, ...shownKeys.map(key => make('td', {}, link(g, g.group[key] === null ? 'unknown' : String(g.group[key])))),
      make('td', { className: 'n', textContent: number(amount(g)) }), make('td', { className: 'n', textContent: g.percent.toFixed(1) }),
      ...(g.positions !== undefined && g.games !== undefined ? [make('td', { className: 'n', textContent: number(g.games) })] : []),
      ...measures.filter(m => m in g).map(m => make('td', { className: 'n', textContent: g[m] === null ? '–' : g[m].toFixed(1) })),
      ...(results(g) ? [make('td', {}, results(g))] : [])));
    return make('div', { className: 'wide-table' }, make('table', {}, make('thead', {}, make('tr', {}, ...head.map((name, i) =>
      make('th', { scope: 'col', className: i < shownKeys.length || name === 'results' ? '' : 'n', textContent: name })))), make('tbody', {}, ...rows)));
  }

  // The colours of the pages of -f html, darker for more.
  function heat() {
    const most = Math.max(...groups.map(amount)), byName = new Map(groups.map(g => [g.group[shownKeys[0]], g]));
    const board = make('div', { className: 'squares heat' });
    for (let rank = 8; rank > 0; rank--)
      for (const file of 'abcdefgh') {
        const name = file + rank, group = byName.get(name), n = group ? amount(group) : 0;
        const e = make(group ? 'button' : 'span', { className: 'cell', title: `${name}: ${number(n)}` }, make('span', { className: 'where', textContent: name }), n ? make('b', { textContent: n < 10000 ? n : Math.round(n / 1000) + 'k' }) : '');
        if (group) {
          e.type = 'button';
          e.setAttribute('aria-label', `${name}: ${counted(n, 'match', 'matches')}`);
          e.onclick = () => open(filterOf(group));
        }
        e.style.setProperty('--heat', n ? .12 + .88 * Math.sqrt(n / most) : 0);
        e.classList.toggle('hot', n / most > .35);
        board.append(e);
      }
    return board;
  }

  // ---- the controls ----

  function choices(first) {
    return [...(first ? [make('option', { value: '', textContent: first })] : []), ...Object.entries(keys).map(([title, list]) =>
      make('optgroup', { label: title }, ...list.map(([value, text]) => make('option', { value, textContent: text }))))];
  }

  function mount() {
    byId('count-key').append(...choices());
    byId('count-second').append(...choices('nothing else'));
    const fields = { key: 'count-key', own: 'count-own', second: 'count-second', per: 'count-per', measure: 'count-measure', order: 'count-order' };
    for (const name in fields) {
      const e = byId(fields[name]);
      e.addEventListener('change', () => {
        options()[name] = e.value;
        ownField();
        state.write();
        if (e.value !== OWN && options().ran) start();
      });
    }
    for (const e of document.querySelectorAll('[name=count-as]'))
      e.onchange = () => {
        options().as = e.value;
        state.write();
        if (groups.length) draw();
      };
    byId('count').onclick = start;
  }

  const ownField = () => { byId('count-own-label').hidden = options().key !== OWN && options().second !== OWN; };

  function show() {
    const o = options();
    for (const [id, name] of [['count-key', 'key'], ['count-own', 'own'], ['count-second', 'second'], ['count-per', 'per'], ['count-measure', 'measure'], ['count-order', 'order']]) byId(id).value = o[name];
    for (const e of document.querySelectorAll('[name=count-as]')) e.checked = e.value === o.as;
    ownField();
    if ((o.ran || state.now.ran) && asked !== JSON.stringify(request())) start();
  }

  return { mount, show, members, condition };
})();
