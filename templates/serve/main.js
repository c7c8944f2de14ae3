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
async function showSources() {
  const menu = byId('sources'), answer = await api.ask('/databases'), fields = menu.querySelector('fieldset');
  const chosen = () => [...fields.querySelectorAll('input')].filter(e => e.checked).map(e => e.value);
  const label = () => {
    const names = chosen(), games = answer.databases.filter(d => names.includes(d.name)).reduce((sum, d) => sum + (d.games || 0), 0);
    menu.querySelector('summary').textContent = (names.length === 1 ? names[0] : `${names.length} databases`) + (games ? ' · ' + counted(games, 'game') : '');
  };
  for (const d of answer.databases) {
    const e = make('input', { type: 'checkbox', value: d.name, checked: !state.now.databases || state.now.databases.includes(d.name) });
    e.onchange = () => {
      if (!chosen().length) e.checked = true; // one at least
      state.now.databases = chosen().length === answer.databases.length ? null : chosen();
      state.write();
      label();
    };
    fields.append(make('label', { className: 'check' }, e, ' ' + d.name, make('span', { className: 'soft', textContent: d.games === null ? ' PGN' : ' ' + counted(d.games, 'game') })));
  }
  menu.hidden = false;
  label();
}

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
  showSources().catch(error => { byId('said').textContent = error.message; });
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
