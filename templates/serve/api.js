// The script of the page of `cqlgen serve`: these files, one after another.
'use strict';

// ---- the interface of the server (docs/serve.md) ----
const api = (() => {
  const token = document.documentElement.dataset.token;

  async function request(path, members, signal) {
    const headers = { Authorization: 'Bearer ' + token };
    if (members) headers['Content-Type'] = 'application/json';
    const reply = await fetch(path, { method: members ? 'POST' : 'GET', headers, signal, body: members ? JSON.stringify(members) : undefined });
    if (reply.ok) return reply;
    let text = 'The server answers with status ' + reply.status + '.';
    try {
      text = (await reply.json()).error.text;
    } catch { /* not JSON: the status says enough */ }
    throw Object.assign(new Error(text), { status: reply.status });
  }

  // What the server answers to a request, as an object.
  async function ask(path, members, signal) {
    return (await request(path, members, signal)).json();
  }

  // Calls on(event, data) for each event, until the server ends or `signal` stops the request.
  async function listen(path, members, on, signal) {
    const reader = (await request(path, members, signal)).body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = '';
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      const events = (rest + value).split(/\r?\n\r?\n/);
      rest = events.pop();
      for (const event of events) {
        const name = /^event: ?(.*)$/m.exec(event), data = /^data: ?(.*)$/m.exec(event);
        if (data) on(name ? name[1] : 'message', JSON.parse(data[1]));
      }
    }
  }

  // Is this the error of a request that was stopped?
  function stopped(error) {
    return error.name === 'AbortError';
  }

  return { token, ask, listen, stopped };
})();

// ---- elements ----
const byId = id => document.getElementById(id);

// An element with properties, attributes (names with a hyphen, and role) and children; texts are never read as HTML.
function make(name, properties, ...children) {
  const e = document.createElement(name);
  for (const key in properties || {}) {
    if (/-|^role$/.test(key)) e.setAttribute(key, properties[key]);
    else e[key] = properties[key];
  }
  e.append(...children);
  return e;
}

// Text in which `words` are code.
function withCode(text) {
  return String(text).split(/`([^`]*)`/).map((part, i) => i % 2 ? make('code', { textContent: part }) : part);
}

const number = n => Number(n).toLocaleString('en');
const counted = (n, one, many) => number(n) + ' ' + (n === 1 ? one : many || one + 's');
const share = (part, all) => all > 0 ? (100 * part / all).toFixed(1) + '\u00a0%' : '–';

function later(milliseconds, action) {
  let timer;
  return (...values) => {
    clearTimeout(timer);
    timer = setTimeout(() => action(...values), milliseconds);
  };
}

const resultSign = result => ({ '1-0': '1–0', '0-1': '0–1', '1/2-1/2': '½–½' })[result] || result || '';

// A bar of games won by White, drawn, and won by Black; or won, drawn and lost by a player.
function resultBar(white, draws, black, names = ['won by White', 'drawn', 'won by Black']) {
  const bar = make('span', { className: 'results', role: 'img', 'aria-label': `${white} ${names[0]}, ${draws} ${names[1]}, ${black} ${names[2]}` });
  const all = white + draws + black;
  for (const [i, [name, n]] of [['white', white], ['draws', draws], ['black', black]].entries()) {
    if (!n) continue;
    const part = make('span', { className: name, title: number(n) + ' ' + names[i] });
    part.style.flexGrow = n;
    if (n >= .3 * all) part.textContent = Math.round(100 * n / all) + '%';
    bar.append(part);
  }
  return bar;
}

// Left and right go through the tabs of a list; a click or the key shows one.
function tabKeys(list, show) {
  list.addEventListener('click', event => {
    const tab = event.target.closest('[role=tab]');
    if (tab) show(tab);
  });
  list.addEventListener('keydown', event => {
    const tabs = [...list.querySelectorAll('[role=tab]')], at = tabs.indexOf(event.target.closest('[role=tab]'));
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: tabs.length - 1 }[event.key];
    if (at < 0 || to === undefined) return;
    event.preventDefault();
    const tab = tabs[(to + tabs.length) % tabs.length];
    show(tab);
    list.querySelector('[role=tab][aria-selected=true]').focus();
  });
}
