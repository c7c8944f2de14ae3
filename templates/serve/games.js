// ---- a search and its games: the list and the board ----
const search = (() => {
  let running = null, spokenAt = 0, command = '';

  function say(text, now) {
    byId('said').textContent = text;
    if (!now && Date.now() - spokenAt < 4000) return;
    spokenAt = Date.now();
    byId('spoken').textContent = text;
  }

  const duration = s => s < 90 ? Math.max(1, Math.round(s)) + ' s' : s < 5400 ? Math.round(s / 60) + ' min' : (s / 3600).toFixed(1) + ' h';

  function onProgress(p) {
    const bar = byId('progress');
    if (p.part === null) bar.removeAttribute('value');
    else bar.value = p.part;
    say(`${number(p.matches)} of ${counted(p.games, 'game')}` + (p.part === null ? '' : `, ${Math.round(100 * p.part)}\u00a0%`) + (p.left === null || p.left === undefined ? '' : `, ${duration(p.left)} left`));
  }

  function onEnd(e) {
    const status = { limit: ' The search ended at the limit.', time: ' The search ran out of time: these are the games found by then.', failed: ' The search failed.' }[e.status] || '';
    say(e.status === 'failed' && !e.games ? 'The query has errors.' :
      `${number(e.matches)} of ${counted(e.games, 'game')} ${e.matches === 1 ? 'matches' : 'match'}, with ${counted(e.hits, 'position')}. ${e.seconds.toFixed(e.seconds < 10 ? 2 : 0)} s.${status}`, true);
    byId('found').dataset.empty = e.matches === 0;
  }

  function onMessage(m) {
    byId('messages').append(make('li', { className: m.severity }, ...withCode(m.text)));
  }

  function show(active) {
    byId('stop').hidden = byId('progress').hidden = !active;
    byId('search').disabled = false;
  }

  function stop() {
    if (running) running.abort();
  }

  async function start() {
    stop();
    const query = state.current(), mine = running = new AbortController();
    const on = {
      start: e => {
        command = e.command || '';
        byId('copy').hidden = !command;
      },
      diagnostics: e => editor.showProblems(e.diagnostics), match: games.add, progress: onProgress, message: onMessage, end: onEnd
    };
    let ended = false;
    const answer = api.listen('/search', state.members(query), (name, data) => {
      if (running !== mine) return;
      if (on[name]) on[name](data);
      ended = ended || name === 'end';
    }, mine.signal); // asked first: the page is made ready while the server begins
    state.now.ran = true;
    views.show('games');
    saved.remember(query);
    games.clear();
    byId('messages').replaceChildren();
    byId('start').replaceChildren();
    byId('progress').removeAttribute('value');
    byId('copy').hidden = true;
    show(true);
    say('Searching …', true);
    try {
      await answer;
      if (!ended && running === mine) say('The server ended the search early.', true);
    } catch (error) {
      if (running === mine) say(api.stopped(error) ? 'Stopped. ' + counted(games.count(), 'game') + ' found until then.' : error.message, true);
    }
    if (running !== mine) return;
    running = null;
    games.finish();
    show(false);
  }

  async function copy() {
    let text = 'Copied';
    try {
      await navigator.clipboard.writeText(command);
    } catch {
      text = command; // without the right to write to the clipboard
    }
    byId('copy').textContent = text;
    setTimeout(() => { byId('copy').textContent = 'Copy command line'; }, 2500);
  }

  function mount() {
    byId('query').onsubmit = event => {
      event.preventDefault();
      start();
    };
    byId('stop').onclick = stop;
    byId('copy').onclick = copy;
  }

  return { start, stop, mount };
})();

const games = (() => {
  const ROW = 56; // pixels; the same in page.css
  let all = [], shown = [], selected = -1, wanted = 0, drawn = 0, top = 0, height = 800, fetched = null, player = null, members = null, newer = false;
  const box = byId('games'), rows = byId('rows');
  const options = () => state.now.list;

  // ---- the list ----

  function clear() {
    all = [];
    shown = [];
    selected = -1;
    wanted = state.now.game;
    members = state.members();
    player = null;
    byId('game').replaceChildren();
    byId('found').hidden = true;
    scrollTo(0);
  }

  function add(m) {
    const t = m.tags || {}, p = m.positions && m.positions[0] || {};
    const year = /^\d{4}/.exec(t.Date || ''), rating = Math.max(+t.WhiteElo || 0, +t.BlackElo || 0);
    all.push({
      game: m.game, white: t.White || '', black: t.Black || '', event: t.Event || '', result: t.Result || '', year: year ? +year[0] : 0, elo: rating,
      count: m.positions ? m.positions.length : 0, move: p.san ? moveOf(p) : p.fen ? 'start' : '', comment: p.comment || ''
    });
    if (all.length === 1) return update(); // the first is shown at once
    if (newer) return;
    newer = true;
    setTimeout(update, all.length < 50 ? 30 : 300 + all.length / 100); // milliseconds: rarer, as a list takes longer
  }

  const moveOf = p => p.number + (p.ply % 2 ? '. ' : '… ') + p.san;

  const orders = {
    number: null, white: (a, b) => a.white.localeCompare(b.white), black: (a, b) => a.black.localeCompare(b.black), year: (a, b) => a.year - b.year,
    elo: (a, b) => a.elo - b.elo, result: (a, b) => a.result.localeCompare(b.result), count: (a, b) => a.count - b.count
  };

  function passes() {
    const o = options(), text = o.text.trim().toLowerCase(), from = +o.from, to = +o.to, elo = +o.elo;
    return g => (!text || (g.white + '\n' + g.black + '\n' + g.event).toLowerCase().includes(text)) && (!o.result || g.result === o.result) &&
      (!from || g.year >= from) && (!to || (g.year && g.year <= to)) && (!elo || g.elo >= elo);
  }

  // Filters and sorts what has been found.
  function update() {
    newer = false;
    const current = shown[selected], order = orders[options().sort], sign = options().down ? -1 : 1;
    shown = all.filter(passes());
    if (order) shown.sort((a, b) => sign * order(a, b) || a.game - b.game);
    else if (options().down) shown.reverse();
    selected = current ? shown.indexOf(current) : -1;
    byId('found').hidden = all.length === 0;
    byId('shown').textContent = shown.length === all.length ? counted(all.length, 'game') : `${number(shown.length)} of ${counted(all.length, 'game')} in the list`;
    draw();
    if (selected < 0 && shown.length) {
      const again = wanted ? shown.findIndex(g => g.game === wanted) : 0;
      if (again >= 0) select(again);
    }
    showPlace();
  }

  function finish() {
    wanted = 0;
    update();
  }

  // Only the rows in view are elements. `top` and `height` say what is in view; to ask the box would lay the page out each time.
  function draw() {
    rows.style.height = shown.length * ROW + 'px';
    const first = Math.max(0, Math.floor(top / ROW) - 4), last = Math.min(shown.length, Math.ceil((top + height) / ROW) + 4);
    const list = [];
    for (let i = first; i < last; i++) list.push(row(shown[i], i));
    rows.replaceChildren(...list);
    if (selected >= first && selected < last) box.setAttribute('aria-activedescendant', 'row' + selected);
    else box.removeAttribute('aria-activedescendant');
  }

  function row(g, i) {
    const e = make('div', { id: 'row' + i, className: 'row', role: 'option', 'aria-selected': i === selected, 'aria-setsize': shown.length, 'aria-posinset': i + 1 },
      make('span', { className: 'players' }, make('bdi', { textContent: g.white || 'Unknown' }), ' – ', make('bdi', { textContent: g.black || 'Unknown' })),
      make('span', { className: 'result', textContent: resultSign(g.result) }),
      make('span', { className: 'details soft' }, [g.year || '', g.event].filter(Boolean).join(', '), g.comment ? make('i', { textContent: ' ' + g.comment }) : ''),
      make('span', { className: 'move', textContent: g.move + (g.count > 1 ? ` +${g.count - 1}` : '') }));
    e.style.top = i * ROW + 'px';
    e.onclick = () => select(i);
    return e;
  }

  function scrollTo(y) {
    box.scrollTop = top = y;
  }

  function reveal(i) {
    if (i * ROW < top) scrollTo(i * ROW);
    else if ((i + 1) * ROW > top + height) scrollTo((i + 1) * ROW - height);
  }

  // ---- a game ----

  // at: which of its matches to show, 'first' or 'last'.
  function select(i, at = 'first') {
    if (i < 0 || i >= shown.length) return;
    selected = i;
    wanted = 0;
    state.now.game = shown[i].game;
    state.write();
    reveal(i);
    draw();
    showPlace();
    load(shown[i], at);
  }

  function showPlace() {
    byId('which').textContent = selected < 0 ? '' : `${number(selected + 1)} of ${number(shown.length)}`;
    byId('game-before').setAttribute('aria-disabled', selected <= 0);
    byId('game-after').setAttribute('aria-disabled', selected + 1 >= shown.length);
  }

  // The player of the game that is selected, once it is there.
  const current = () => player && shown[selected] && player.number === shown[selected].game ? player : null;

  // Puts a game into an element, instead of what was there; a focus inside moves to the new board. Returns its player.
  async function fetchInto(element, number, members, signal) {
    const answer = await api.ask('/game/' + number, members, signal);
    // The server makes and escapes this section.
    const section = document.adoptNode(new DOMParser().parseFromString(answer.html, 'text/html').querySelector('section'));
    const focused = element.contains(document.activeElement);
    element.replaceChildren(section);
    const game = cqlgenBoards.build(section);
    if (focused) section.querySelector('.player svg').focus();
    return game;
  }

  async function load(g, at) {
    if (fetched) fetched.abort();
    fetched = new AbortController();
    if (current()) return show(at);
    try {
      player = Object.assign(await fetchInto(byId('game'), g.game, members, fetched.signal), { number: g.game });
      show(at);
    } catch (error) {
      if (!api.stopped(error)) byId('game').replaceChildren(make('p', { className: 'soft', textContent: error.message }));
    }
  }

  function show(at) {
    const hits = player.nodes.filter(n => n.hit);
    player.show(at === 'last' ? hits.pop() : hits[0]);
  }

  // The next or previous match: in this game, else in the next or previous game of the list.
  function match(by) {
    const game = current(), before = game && game.at;
    if (game) game.step(by > 0 ? 'next' : 'previous');
    if (!game || game.at === before) select(selected + by, by > 0 ? 'first' : 'last');
  }

  function listKeys(event) {
    const page = Math.max(1, Math.floor(height / ROW) - 1);
    const to = { ArrowDown: selected + 1, ArrowUp: selected - 1, PageDown: selected + page, PageUp: selected - page, Home: 0, End: shown.length - 1 }[event.key];
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (to !== undefined) select(Math.max(0, Math.min(shown.length - 1, to)));
    else if (event.key === 'Enter' && player) player.section.querySelector('.player svg').focus();
    else return;
    event.preventDefault();
  }

  function matchKeys(event) {
    if (!/^[np]$/.test(event.key) || event.ctrlKey || event.altKey || event.metaKey || event.target.closest('input, select')) return;
    event.preventDefault();
    match(event.key === 'n' ? 1 : -1);
  }

  function mount() {
    box.addEventListener('scroll', () => {
      top = box.scrollTop;
      cancelAnimationFrame(drawn);
      drawn = requestAnimationFrame(draw);
    }, { passive: true });
    box.addEventListener('keydown', listKeys);
    new ResizeObserver(() => {
      height = box.clientHeight || height; // none while it is hidden
      draw();
    }).observe(box);
    byId('found').addEventListener('keydown', matchKeys);
    byId('game-before').onclick = () => select(selected - 1);
    byId('game-after').onclick = () => select(selected + 1);
    byId('explore-this').onclick = () => {
      if (player) explorer.open(player.fen());
    };
    const fields = { sort: 'list-sort', text: 'list-text', result: 'list-result', from: 'list-from', to: 'list-to', elo: 'list-elo', down: 'list-down' };
    for (const name in fields) {
      const e = byId(fields[name]), property = e.type === 'checkbox' ? 'checked' : 'value';
      e[property] = options()[name];
      e.addEventListener('input', () => {
        options()[name] = e[property];
        state.write();
        update();
      });
    }
  }

  return { mount, clear, add, finish, fetchInto, count: () => all.length };
})();
