// Pages work without this: it keeps them fresh row by row, and lets them be used by keys.
const body = document.body;
const line = document.getElementById('line');
const login = document.getElementById('login');

if (login && location.hash.startsWith('#code=')) {
  const token = login.elements.token;
  token.type = 'hidden';
  token.name = 'code';
  token.required = false;
  token.value = decodeURIComponent(location.hash.slice(6));
  history.replaceState(null, '', location.pathname + location.search);
  login.submit();
}

// ---- what has changed is replaced, row by row, by id; nothing else moves
let asking = false;
let again = false;
async function refresh() {
  if (asking) { again = true; return; }
  asking = true;
  try {
    const answer = await fetch(location.href, {headers: {Accept: 'text/html'}});
    if (answer.redirected) { location.reload(); return; }
    if (answer.ok) merge(new DOMParser().parseFromString(await answer.text(), 'text/html'));
  } catch { say('not connected'); }
  asking = false;
  if (again) { again = false; setTimeout(refresh, 500); }
}
function merge(fresh) {
  if (fresh.querySelector('#job[data-over=true]') && document.querySelector('#job[data-over=false]')) { location.reload(); return; }
  const here = document.querySelectorAll('tr[id], article[id], #facts, #intro, #deeds, #state, #told, #job');
  for (const old of here) {
    const now = fresh.getElementById(old.id);
    if (!now || now.isEqualNode(old)) continue;
    const focused = old.contains(document.activeElement) && document.activeElement.getAttribute('href');
    now.classList.add('changed');
    old.replaceWith(now);
    if (focused) now.querySelector(`[href="${CSS.escape(focused)}"]`)?.focus({preventScroll: true});
  }
  const known = new Set([...document.querySelectorAll('[id]')].map(e => e.id));
  const added = [...fresh.querySelectorAll('tbody tr[id], article[id]')].filter(e => !known.has(e.id)).length;
  const offered = document.getElementById('newer');
  if (added && !offered) {
    const offer = Object.assign(document.createElement('button'), {id: 'newer', textContent: 'There is more – show'});
    offer.onclick = () => location.reload();
    document.querySelector('main').prepend(offer);
  }
}
function say(text) { if (line) line.textContent = text; }

let stream = null;
function listen() {
  if (!body.dataset.live || stream || document.visibilityState !== 'visible') return;
  // From where the page was read: nothing that changed before anybody listened is missed.
  stream = new EventSource('/console/stream?since=' + body.dataset.since + '&topics=' + encodeURIComponent(body.dataset.live));
  let lost = false;
  stream.onopen = () => { say(''); if (lost) refresh(); lost = false; };
  stream.onerror = () => { lost = true; say('not connected'); };
  const changed = event => { body.dataset.since = event.lastEventId; refresh(); };
  stream.addEventListener('change', changed);
  stream.addEventListener('reset', changed);
}
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible') { listen(); if (body.dataset.live) refresh(); }
  else if (stream) { stream.close(); stream = null; }
});
listen();

// ---- keys: never with a modifier, never inside a field; can be switched off in the help
const off = () => localStorage.getItem('keys') === 'off';
let row = -1;
let going = false;
const rows = () => [...document.querySelectorAll('tbody tr:not(.more), article')];
function move(step) {
  const all = rows();
  if (!all.length) return;
  all[row]?.classList.remove('at');
  row = Math.min(all.length - 1, Math.max(0, row + step));
  all[row].classList.add('at');
  all[row].scrollIntoView({block: 'nearest'});
  all[row].querySelector('a')?.focus({preventScroll: true});
}
// A row in another tab, so that the list stays where it is.
function open(of) {
  const link = of(rows());
  if (link) window.open(link.href, '_blank', 'noopener');
}
// From one of the page's actions to the next.
function act() {
  const all = [...document.querySelectorAll('#deeds a, #deeds button')];
  all[(all.indexOf(document.activeElement) + 1) % all.length]?.focus();
}
function help() {
  const box = document.createElement('dialog');
  box.setAttribute('aria-label', 'Keys');
  const text = document.createElement('p');
  text.textContent = '/ search · j k next and previous row · Enter open · o open in another tab · . actions of the page · u up · g then o overview, l lanes, s sessions, u usage, e events, d deliveries, f failures, t storage, r recovery, w what-if, c settings, a audit · ? this · Esc closes';
  const label = document.createElement('label');
  const box2 = Object.assign(document.createElement('input'), {type: 'checkbox', checked: !off()});
  box2.onchange = () => localStorage.setItem('keys', box2.checked ? 'on' : 'off');
  label.append(box2, ' Keys are on');
  const form = Object.assign(document.createElement('form'), {method: 'dialog'});
  form.append(Object.assign(document.createElement('button'), {textContent: 'Close'}));
  box.append(text, label, form);
  box.onclose = () => box.remove();
  body.append(box);
  box.showModal();
}
document.addEventListener('keydown', event => {
  if (event.ctrlKey || event.altKey || event.metaKey || event.target.matches('input, textarea, select')) return;
  if (event.key === '?') { help(); return; }
  if (off() || document.querySelector('dialog[open]')) return;
  if (going) {
    going = false;
    document.querySelector(`nav [data-key="${CSS.escape(event.key)}"]`)?.click();
    return;
  }
  switch (event.key) {
    case '/': event.preventDefault(); document.querySelector('.find input')?.focus(); break;
    case 'j': move(1); break;
    case 'k': move(-1); break;
    case 'o': open(all => all[row]?.querySelector('a')); break;
    case '.': act(); break;
    case 'u': location.href = '/console/'; break;
    case 'g': going = true; setTimeout(() => { going = false; }, 1500); break;
  }
});
