// ---- help, examples, saved queries: dialogs ----
const help = (() => {
  const pages = new Map(), dialog = byId('help'), tip = byId('tip');

  // The page about a word, or null.
  function page(word) {
    if (!pages.has(word)) pages.set(word, api.ask('/help/' + encodeURIComponent(word)).catch(error => {
      if (error.status !== 404) pages.delete(word);
      return null;
    }));
    return pages.get(word);
  }

  async function open(word) {
    byId('help-word').value = word || '';
    if (!dialog.open) dialog.showModal();
    byId('help-title').textContent = word || 'Help';
    const answer = await page(word || 'syntax');
    const text = answer ? answer.text : 'There is no help page for `' + word + '`.';
    byId('help-text').textContent = text;
    byId('help-text').scrollTop = 0;
    const also = /^See also: (.*(?:\n .*)*)/m.exec(text);
    byId('help-also').replaceChildren(...(also ? also[1].split(/[,\s]+/).filter(Boolean) : ['syntax', 'types', 'cql']).map(other =>
      make('button', { type: 'button', className: 'plain', textContent: other, onclick: () => open(other) })));
  }

  // What the word under the mouse means, after a moment. word(event): the word there, or ''.
  function hover(element, word) {
    let timer;
    const hide = () => {
      clearTimeout(timer);
      tip.hidden = true;
    };
    element.addEventListener('mousemove', event => {
      hide();
      timer = setTimeout(async () => {
        const name = word(event), answer = name && await page(name);
        if (!answer) return;
        tip.replaceChildren(...gloss(answer.text));
        tip.style.left = Math.max(4, Math.min(event.clientX, innerWidth - 340)) + 'px';
        tip.style.top = event.clientY + 18 + 'px';
        tip.hidden = false;
      }, 450);
    });
    for (const name of ['mouseleave', 'keydown', 'mousedown']) element.addEventListener(name, hide);
  }

  // The first lines of a page, up to its syntax.
  function gloss(text) {
    const lines = text.split('\n'), end = lines.findIndex((line, i) => i > 0 && /^(?:Syntax|\s*$)/.test(line));
    const rest = /\n\n(?!Syntax)(?!Examples)([A-Z][^\n]*(?:\n[^\n ][^\n]*)*)/.exec(text);
    return [make('b', { textContent: lines.slice(0, Math.max(1, end)).join(' ').trim() }), make('p', { textContent: rest ? rest[1].replace(/\n/g, ' ') : '' }),
      make('small', { textContent: 'F1: the whole page' })];
  }

  function mount() {
    byId('open-help').onclick = () => open('');
    byId('help-form').onsubmit = event => {
      event.preventDefault();
      open(byId('help-word').value.trim());
    };
    for (const e of document.querySelectorAll('dialog')) {
      e.querySelector('[data-close]').onclick = () => e.close();
      e.addEventListener('click', event => {
        if (event.target === e) e.close(); // beside it
      });
    }
  }

  return { open, hover, mount };
})();

const examples = (() => {
  let loaded = null;

  function filter() {
    const words = byId('examples-filter').value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const group of byId('examples-list').children) {
      let any = false;
      for (const button of group.querySelectorAll('button')) {
        button.hidden = !words.every(word => button.dataset.words.includes(word));
        any = any || !button.hidden;
      }
      group.hidden = !any;
    }
  }

  function entry(example) {
    const button = make('button', { type: 'button', className: 'entry' }, make('b', {}, ...withCode(example.title || example.name)), make('small', { className: 'soft', textContent: example.name }));
    button.dataset.words = (example.name + ' ' + example.title + ' ' + example.query).toLowerCase();
    button.onclick = () => {
      byId('examples').close();
      tabs.open(example.query);
    };
    return button;
  }

  const load = () => loaded = loaded || api.ask('/examples');

  // Before the first search: an example of each subject.
  async function suggest() {
    const { subjects } = await load();
    byId('start').replaceChildren(...subjects.map(({ examples: [first] }) =>
      make('button', { type: 'button', textContent: (first.title || first.name).replace(/[.:,].*/, ''), onclick: () => tabs.open(first.query) })));
  }

  async function open() {
    byId('examples').showModal();
    if (byId('examples-list').children.length) return;
    try {
      const answer = await load();
      byId('examples-list').replaceChildren(...answer.subjects.map(({ subject, examples: list }) =>
        make('div', { role: 'group', 'aria-label': subject }, make('h3', { textContent: subject }), ...list.map(entry))));
    } catch (error) {
      byId('examples-list').textContent = error.message;
    }
  }

  function mount() {
    byId('open-examples').onclick = open;
    byId('examples-filter').oninput = filter;
  }

  return { mount, suggest };
})();

const saved = (() => {
  const MOST = 100; // searches that the history keeps

  function remember(query) {
    if (!query.text.trim()) return;
    const list = state.stored('history').filter(q => q.text !== query.text || q.dialect !== query.dialect);
    list.unshift({ text: query.text, dialect: query.dialect, name: tabs.nameOf(query), time: Date.now() });
    state.store('history', list.slice(0, MOST));
  }

  function entry(query, forget) {
    const open = make('button', { type: 'button', className: 'entry' }, make('b', { textContent: query.name }),
      make('small', { className: 'soft', textContent: query.text.replace(/\s+/g, ' ').slice(0, 90) }));
    open.onclick = () => {
      byId('saved').close();
      tabs.open(query.text, query.dialect);
    };
    const remove = make('button', { type: 'button', className: 'plain', textContent: '×', 'aria-label': 'Forget ' + query.name, onclick: forget });
    return make('div', { className: 'line-up' }, open, remove);
  }

  function list(name, title) {
    const queries = state.stored(name);
    const forget = query => () => {
      state.store(name, state.stored(name).filter(q => q.time !== query.time));
      draw();
    };
    return queries.length ? [make('h3', { textContent: title }), ...queries.map(q => entry(q, forget(q)))] : [];
  }

  function draw() {
    const entries = [...list('saved', 'Saved'), ...list('history', 'History')];
    byId('saved-list').replaceChildren(...entries.length ? entries : [make('p', { className: 'soft', textContent: 'Nothing yet. Each search is added here, in this browser alone.' })]);
  }

  function mount() {
    byId('open-saved').onclick = () => {
      byId('save-name').value = tabs.nameOf(state.current());
      draw();
      byId('saved').showModal();
    };
    byId('save-form').onsubmit = event => {
      event.preventDefault();
      const { text, dialect } = state.current();
      state.store('saved', [{ text, dialect, name: byId('save-name').value.trim() || tabs.nameOf(state.current()), time: Date.now() }, ...state.stored('saved')]);
      draw();
    };
  }

  return { mount, remember };
})();
