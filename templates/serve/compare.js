// ---- the queries of all tabs side by side ----
const compare = (() => {
  let running = null;

  // The totals of one query: games, matches, and how they ended.
  async function totals(query, signal) {
    const out = { games: 0, matches: 0, white: 0, draws: 0, black: 0, status: '' };
    const members = { ...state.members(query), by: 'result' };
    delete members.limit;
    await api.listen('/count', members, (name, data) => {
      if (name === 'table') for (const g of data) for (const key of ['white', 'draws', 'black']) out[key] += g[key] || 0;
      else if (name === 'end') Object.assign(out, { games: data.games, matches: data.matches, status: data.status });
    }, signal);
    return out;
  }

  function row(query, i, t) {
    const name = make('button', { type: 'button', className: 'plain', textContent: tabs.nameOf(query), onclick: () => tabs.show(i) });
    if (t.status === 'failed') return make('tr', {}, make('td', {}, name), make('td', { colSpan: 4, textContent: 'The query has errors.' }));
    const ended = t.white + t.draws + t.black;
    return make('tr', {}, make('td', {}, name), make('td', { className: 'n', textContent: number(t.matches) }), make('td', { className: 'n', textContent: share(t.matches, t.games) }),
      make('td', {}, resultBar(t.white, t.draws, t.black)), make('td', { className: 'n', textContent: share(t.white + t.draws / 2, ended) }));
  }

  async function start() {
    if (running) running.abort();
    const mine = running = new AbortController(), said = byId('compare-said'), body = make('tbody');
    const heads = [['Query', ''], ['Games', 'n'], ['Share', 'n'], ['Results', ''], ['Score', 'n']];
    byId('compared').replaceChildren(make('div', { className: 'wide-table' }, make('table', {},
      make('thead', {}, make('tr', {}, ...heads.map(([textContent, className]) => make('th', { scope: 'col', textContent, className })))), body)));
    try {
      for (const [i, query] of state.now.queries.entries()) {
        said.textContent = `Query ${i + 1} of ${state.now.queries.length} …`;
        const t = await totals(query, mine.signal);
        if (running !== mine) return;
        body.append(row(query, i, t));
        said.textContent = `Searched ${counted(t.games, 'game')}.`;
      }
    } catch (error) {
      if (!api.stopped(error)) said.textContent = error.message;
    }
  }

  function mount() {
    byId('compare').onclick = start;
  }

  return { mount };
})();
