// ---- files, worksheets, quizzes ----
// A form that the browser sends itself: files may be larger than what a script should hold.
const exporting = (() => {
  // What a form adds to the members of the search.
  function extra(form) {
    const out = { ...state.members() }, fields = Object.fromEntries([...new FormData(form)].filter(([, value]) => value.trim()));
    const kind = form.dataset.export;
    if (kind === 'worksheet') out.format = 'html';
    if (kind === 'quiz') Object.assign(out, { format: 'html', quiz: true });
    if (kind === 'counts') Object.assign(out, counts.members());
    return Object.assign(out, fields);
  }

  function send(members, target) {
    const form = make('form', { method: 'post', action: '/export?token=' + encodeURIComponent(api.token), target, hidden: true });
    for (const [name, value] of Object.entries(members))
      for (const one of Array.isArray(value) ? value : [value]) form.append(make('input', { type: 'hidden', name, value: String(one) }));
    document.body.append(form);
    form.submit();
    form.remove();
  }

  function mount() {
    for (const form of document.querySelectorAll('form[data-export]'))
      form.onsubmit = event => {
        event.preventDefault();
        const members = extra(form);
        send(members, members.format === 'html' || members.format === 'svg' ? '_blank' : '_self');
      };
  }

  return { mount, extra };
})();
