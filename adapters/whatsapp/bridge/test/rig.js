// A bridge with a fake WhatsApp, in a directory of its own, and the gateway's side of the conversation.
import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const PATIENCE = 60_000;

export async function until(what, holds) {
  const deadline = Date.now() + PATIENCE;
  for (;;) {
    const found = holds();
    if (found) {
      return found;
    }
    if (Date.now() > deadline) {
      throw new Error(`Not so: ${what}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

export class Rig {
  root = mkdtempSync(join(tmpdir(), 'parley-bridge-'));
  server = join(this.root, 'server');
  directory = join(this.root, 'home');
  session = join(this.directory, 'session');
  #bridge = join(this.root, 'bridge');
  #written = 0;
  processes = [];

  constructor() {
    mkdirSync(join(this.server, 'in'), { recursive: true });
    mkdirSync(join(this.server, 'media'));
    mkdirSync(this.#bridge);
    for (const name of readdirSync(join(here, '..')).filter((each) => /\.js$|^package\.json$/.test(each))) {
      cpSync(join(here, '..', name), join(this.#bridge, name));
    }
    cpSync(join(here, 'fake'), join(this.#bridge, 'node_modules'), { recursive: true });
  }

  /** Starts the bridge; `answer` is told each message and says what the gateway answers, or nothing. */
  start(answer = ({ name }) => ({ type: 'taken', name }), words = {}) {
    const child = spawn(process.execPath, [join(this.#bridge, 'bridge.js')], {
      env: { ...process.env, TEST_WHATSAPP: this.server },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const bridge = {
      child,
      said: [],
      gone: new Promise((resolve) => child.on('exit', (code, signal) => resolve(code ?? signal))),
      tell: (word) => child.stdin.write(`${JSON.stringify(word)}\n`),
      messages: () => bridge.said.filter((word) => word.type === 'message'),
      states: () => bridge.said.filter((word) => word.type === 'state').map((word) => word.state),
      open: () => until('the bridge is connected', () => bridge.states().includes('open')),
      call: async (part) => {
        const call = ++this.#written;
        bridge.tell({ type: 'send', call, part: 1, ...part });
        return until('the call is answered', () => bridge.said.find((word) => word.type === 'called' && word.call === call));
      },
      kill: async () => {
        child.kill('SIGKILL');
        await bridge.gone;
      },
    };
    child.stdin.on('error', () => {});
    this.processes.push(bridge);
    createInterface({ input: child.stdout }).on('line', (line) => {
      const word = JSON.parse(line);
      bridge.said.push(word);
      const back = word.type === 'message' ? answer(word) : undefined;
      if (back) {
        bridge.tell(back);
      }
    });
    bridge.tell({ type: 'begin', directory: this.directory, session: this.session, selfChat: false, largest: 1000, pause: 1, patience: 200, ...words });
    return bridge;
  }

  /** Somebody writes; WhatsApp keeps it until it is acknowledged. */
  write(chat, text, more = {}) {
    const id = more.id ?? `M${++this.#written}`;
    const message = {
      key: { remoteJid: chat, id, fromMe: false, ...more.key },
      pushName: 'Ada',
      messageTimestamp: Math.floor(Date.now() / 1000) + 5,
      message: { conversation: text },
      ...more.message,
    };
    const path = join(this.server, 'in', `${String(++this.#written).padStart(8, '0')}.json`);
    writeFileSync(`${path}.tmp`, JSON.stringify(message));
    renameSync(`${path}.tmp`, path);
    return id;
  }

  set(name, text = '') {
    writeFileSync(join(this.root, 'next'), text);
    renameSync(join(this.root, 'next'), join(this.server, name));
  }

  unset(name) {
    rmSync(join(this.server, name), { force: true });
  }

  log(name) {
    const path = join(this.server, name);
    // A line that is being written is not there yet.
    return existsSync(path) ? readFileSync(path, 'utf8').split('\n').slice(0, -1).map((line) => JSON.parse(line)) : [];
  }

  spooled() {
    const path = join(this.directory, 'spool');
    return existsSync(path) ? readdirSync(path).filter((name) => name.endsWith('.json')) : [];
  }

  waiting() {
    return readdirSync(join(this.server, 'in')).length;
  }

  async close() {
    for (const { child, gone } of this.processes) {
      child.kill('SIGKILL');
      await gone;
    }
    rmSync(this.root, { recursive: true, force: true });
  }
}
