// ---- the page as a whole ----
const views = (() => {
  const list = byId('views');
  const shows = { counts: () => counts.show(), explorer: () => explorer.show(), position: () => position.show() };

  function show(name) {
    state.now.view = name;
    for (const tab of list.children) {
      const selected = tab.id === 'tab-' + name;
      tab.setAttribute('aria-selected', selected);
      tab.tabIndex = selected ? 0 : -1;
      byId(tab.getAttribute('aria-controls')).hidden = !selected;
    }
    list.scrollLeft = byId('tab-' + name).offsetLeft - 60;
    if (shows[name]) shows[name]();
    state.write();
  }

  function mount() {
    tabKeys(list, tab => show(tab.id.replace('tab-', '')));
  }

  return { show, mount };
})();

// The menu of databases.
const sources = (() => {
  let list = [];
  const boxes = () => [...byId('sources').querySelectorAll('input')];
  const chosen = () => boxes().filter(e => e.checked).map(e => e.value);

  function label() {
    const names = chosen(), games = list.filter(d => names.includes(d.name)).reduce((sum, d) => sum + (d.games || 0), 0);
    byId('sources').querySelector('summary').textContent = (names.length === 1 ? names[0] : `${names.length} databases`) + (games ? ' · ' + counted(games, 'game') : '');
  }

  // Names of databases; null: all.
  function choose(names) {
    state.now.databases = names && names.length < list.length ? names : null;
    for (const e of boxes()) e.checked = !names || names.includes(e.value);
    state.write();
    label();
  }

  // The name of the database at a path, as the key `file` says it.
  function nameOf(path) {
    const found = list.filter(d => d.path === path);
    return found.length === 1 ? found[0].name : null;
  }

  async function show() {
    list = (await api.ask('/databases')).databases;
    for (const d of list) {
      const e = make('input', { type: 'checkbox', value: d.name });
      e.onchange = () => choose(chosen().length ? chosen() : [d.name]); // one at least
      byId('sources').querySelector('fieldset').append(
        make('label', { className: 'check' }, e, ' ' + d.name, make('span', { className: 'soft', textContent: d.games === null ? ' PGN' : ' ' + counted(d.games, 'game') })));
    }
    choose(state.now.databases);
    byId('sources').hidden = false;
  }

  return { show, choose, nameOf };
})();

// The fields under the editor.
function mountConditions() {
  for (const id of ['where', 'sort', 'limit', 'first', 'variations']) {
    const e = byId(id), property = e.type === 'checkbox' ? 'checked' : 'value';
    e[property] = state.now[id];
    if (state.now[id]) byId('conditions').open = true;
    e.addEventListener('input', () => {
      state.now[id] = e[property];
      state.write();
    });
  }
  byId('dialect').onchange = () => {
    state.current().dialect = byId('dialect').value;
    state.write();
    editor.check();
  };
}

function start() {
  state.read();
  byId('answers').hidden = false;
  for (const part of [views, tabs, search, games, counts, explorer, position, compare, exporting, help, examples, saved, editor]) part.mount();
  mountConditions();
  sources.show().catch(error => { byId('said').textContent = error.message; });
  tabs.draw();
  editor.show();
  const view = state.now.view;
  if (state.now.ran) search.start();
  else examples.suggest().catch(() => {}); // the page does without them
  views.show(byId('tab-' + view) ? view : 'games');
  document.addEventListener('keydown', event => {
    if (event.key === 'F1' && !event.defaultPrevented) {
      event.preventDefault();
      help.open('');
    }
  });
  addEventListener('hashchange', () => {
    if (location.hash.startsWith('#q=')) location.reload(); // another bookmark
  });
}
start();
