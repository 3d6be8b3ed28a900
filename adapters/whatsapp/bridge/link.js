// The connection to WhatsApp: made, made again after a pause, and what the operator has to know about it.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { putDurably } from './files.js';

const PAUSES = { 440: 60_000, 403: 3_600_000, 401: 1_000, 515: 0 };
const LONGEST_PAUSE = 60_000;
const QUIET = { level: 'silent', child: () => QUIET, trace() {}, debug() {}, info() {}, warn() {}, error() {}, fatal() {} };

export class Link {
  #baileys;
  #session;
  #options;
  #tell;
  #socket;
  #isOpen = false;
  #stopped = false;
  #failures = 0;
  #version;

  /**
   * `options` holds the directory of the file with the code to link, a phone number to link by a code in words instead, and what is called:
   * `upserted(messages, type)`, at once and before anything else is done; `acknowledged(attributes)`; `disconnected()`; `opened()`; `sent(key)`, which
   * returns what a message that was sent says.
   */
  constructor(baileys, session, options, tell) {
    this.#baileys = baileys;
    this.#session = session;
    this.#options = options;
    this.#tell = tell;
  }

  /** Returns the connection while it is open. */
  get open() {
    return this.#isOpen ? this.#socket : undefined;
  }

  /** Returns the connection, open or not. */
  get socket() {
    return this.#socket;
  }

  connect() {
    const { default: makeSocket, Browsers, makeCacheableSignalKeyStore } = this.#baileys;
    const { creds, keys } = this.#session.state();
    const socket = makeSocket({
      auth: { creds, keys: makeCacheableSignalKeyStore(keys, QUIET) },
      logger: QUIET,
      browser: Browsers.ubuntu('Chrome'),
      emitOwnEvents: false,
      markOnlineOnConnect: false,
      syncFullHistory: false,
      shouldSyncHistoryMessage: () => false,
      getMessage: async (key) => this.#options.sent(key),
      ...(this.#version && { version: this.#version }),
      ...this.#options.socket,
    });
    this.#socket = socket;
    takeFirst(socket.ev, (data) => this.#options.upserted(data));
    socket.ev.on('creds.update', () => this.#session.save());
    socket.ev.on('connection.update', (update) => {
      if (socket === this.#socket && !this.#stopped) {
        this.#updated(socket, update).catch((e) => this.#tell({ type: 'note', text: `${e.name} while connecting` }));
      }
    });
    socket.ws.on('CB:ack,class:message', (node) => this.#options.acknowledged(node.attrs));
  }

  async #updated(socket, { connection, lastDisconnect, qr }) {
    if (qr) {
      await this.#showCode(socket, qr);
    }
    if (connection === 'open') {
      this.#isOpen = true;
      this.#failures = 0;
      rmSync(this.#codeFile(), { force: true });
      this.#options.opened();
      this.#tell({ type: 'state', state: 'open' });
    } else if (connection === 'close') {
      this.#isOpen = false;
      this.#options.disconnected();
      await this.#closed(lastDisconnect?.error?.output?.statusCode);
    }
  }

  async #closed(code) {
    if (code === 401) {
      this.#session.forget();
    }
    if (code === 405) {
      // WhatsApp takes this version of its web client no more.
      this.#version = (await this.#baileys.fetchLatestWaWebVersion({}).catch(() => ({}))).version;
    }
    const doubled = Math.min(LONGEST_PAUSE, 1000 * 2 ** Math.min(this.#failures++, 6));
    const codeRanOut = code === 408 && !this.#session.isLinked;
    if (code !== 515 && !codeRanOut) {
      this.#tell({ type: 'state', state: 'closed', code: code ?? 0 });
    }
    const timer = setTimeout(() => this.#stopped || this.connect(), PAUSES[code] ?? doubled);
    timer.unref?.();
  }

  async #showCode(socket, qr) {
    const { phone } = this.#options;
    if (phone) {
      if (!this.#session.me) {
        const code = await socket.requestPairingCode(phone);
        this.#tell({ type: 'state', state: 'code', code: `${code.slice(0, 4)}-${code.slice(4)}` });
      }
      return;
    }
    const { default: drawing } = await import('qrcode-terminal');
    const picture = await new Promise((resolve) => drawing.generate(qr, { small: true }, resolve));
    putDurably(this.#codeFile(), picture.endsWith('\n') ? picture : `${picture}\n`);
    this.#tell({ type: 'state', state: 'qr', file: this.#codeFile(), picture });
  }

  #codeFile() {
    return join(this.#options.directory, 'link-code.txt');
  }

  stop() {
    this.#stopped = true;
    this.#isOpen = false;
    this.#socket?.end(undefined);
  }
}

/**
 * Baileys tells WhatsApp that a message was received and only then emits it, collected with others for up to the whole time in which
 * messages of an outage come in. Here each is taken when it is emitted, before it is collected.
 */
function takeFirst(events, take) {
  const emit = events.emit;
  events.emit = (name, data) => {
    if (name === 'messages.upsert') {
      take(data);
    }
    return emit.call(events, name, data);
  };
  events.on('messages.upsert', take);
}
