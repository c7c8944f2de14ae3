// ---- what the page shows, as an object, in the address and in the browser's storage ----
const state = (() => {
  const usual = {
    tab: 0, view: 'games', databases: null, where: '', sort: '', limit: '', first: false, variations: false, ran: false, game: 0,
    list: { sort: 'number', down: false, text: '', result: '', from: '', to: '', elo: '' },
    counts: { key: 'result', own: '', second: '', per: 'game', measure: '', order: '', as: 'bars', ran: false },
    explorer: { start: '', moves: [], query: false, flipped: false }
  };
  const now = structuredClone(usual);
  now.queries = [{ text: 'mate', dialect: '' }];

  // Only what differs from the usual.
  function different(object, from) {
    const out = {};
    for (const key in from) {
      const value = object[key];
      if (from[key] && typeof from[key] === 'object' && !Array.isArray(from[key])) {
        const part = different(value, from[key]);
        if (Object.keys(part).length) out[key] = part;
      } else if (JSON.stringify(value) !== JSON.stringify(from[key])) {
        out[key] = value;
      }
    }
    return out;
  }

  // Takes members of the same type; a bookmark may be of another version.
  function take(object, from) {
    for (const key in object) {
      const value = from[key];
      if (value === undefined || value === null) continue;
      if (object[key] && typeof object[key] === 'object' && !Array.isArray(object[key])) take(object[key], value);
      else if (object[key] === null ? Array.isArray(value) : typeof value === typeof object[key] && Array.isArray(value) === Array.isArray(object[key])) object[key] = value;
    }
  }

  function fragment() {
    const words = now.queries.map(q => 'q=' + encodeURIComponent(q.text) + (q.dialect ? '&d=' + q.dialect : ''));
    const rest = different(now, usual);
    if (Object.keys(rest).length) words.push('s=' + encodeURIComponent(JSON.stringify(rest)));
    return '#' + words.join('&');
  }

  // Reads the address; false when it says nothing.
  function read() {
    const queries = [];
    let rest = {};
    for (const [key, value] of new URLSearchParams(location.hash.slice(1))) {
      if (key === 'q') queries.push({ text: value, dialect: '' });
      else if (key === 'd' && queries.length) queries[queries.length - 1].dialect = value;
      else if (key === 's')
        try {
          rest = JSON.parse(value);
        } catch { /* a damaged bookmark: the queries are enough */ }
    }
    if (!queries.length) return false;
    Object.assign(now, structuredClone(usual), { queries });
    take(now, rest);
    now.tab = Math.min(Math.max(0, now.tab | 0), queries.length - 1);
    return true;
  }

  const write = later(200, () => history.replaceState(null, '', location.pathname + location.search + fragment()));
  const current = () => now.queries[now.tab];

  // The members of a search by the query of a tab.
  function members(query = current()) {
    const out = { query: query.text };
    if (query.dialect) out.dialect = query.dialect;
    if (now.databases) out.databases = now.databases;
    for (const key of ['where', 'sort']) if (now[key].trim()) out[key] = now[key].trim();
    if (+now.limit > 0) out.limit = +now.limit;
    for (const key of ['first', 'variations']) if (now[key]) out[key] = true;
    return out;
  }

  // Lists in the browser's storage; it may be switched off.
  function stored(name) {
    try {
      return JSON.parse(localStorage.getItem('cqlgen.' + name)) || [];
    } catch {
      return [];
    }
  }
  function store(name, list) {
    try {
      localStorage.setItem('cqlgen.' + name, JSON.stringify(list));
    } catch { /* full or switched off: nothing is kept */ }
  }

  return { now, read, write, current, members, stored, store };
})();
