// Baileys as the bridge sees it, with a directory for a server, which TEST_WHATSAPP names:
//   in/NAME.json    a message that waits: {key, pushName, messageTimestamp, message, type, late}; taken away once it is acknowledged, which
//                   is before it is emitted, as Baileys does it, or after, where `late` is set; emitted together with those in `beside`
//   sent.jsonl      what was sent, each id once
//   attempts.jsonl  what was sent, each time
//   typing.jsonl    presence
//   media/ID        the bytes of a message's file
//   down            while there, there is no connection; holds the code of its end
//   again           holds the id of a message that a phone could not decrypt; again.jsonl is what it gets
//   end             ends the connection once, with the code it holds
//   qr              while there, the account is not linked
//   refuse          while there, messages are refused with the error it holds
//   refuse-files    the same for what is no text
//   silent          while there, messages are not acknowledged
//   hang            while there, sending never ends
//   environment.json   the names of the variables that the bridge sees
import { EventEmitter } from 'node:events';
import { appendFileSync, createReadStream, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const server = process.env.TEST_WHATSAPP;
writeFileSync(join(server, 'environment.json'), JSON.stringify(Object.keys(process.env)));
const there = (name) => existsSync(join(server, name));
const text = (name) => readFileSync(join(server, name), 'utf8').trim();
const note = (name, value) => appendFileSync(join(server, name), `${JSON.stringify(value)}\n`);
const failure = (code) => Object.assign(new Error('Connection Failure'), { output: { statusCode: code } });

export const Browsers = { ubuntu: (name) => ['Ubuntu', name, '1'] };
export const BufferJSON = { replacer: (key, value) => value, reviver: (key, value) => value };
export const initAuthCreds = () => ({ made: true });
export const makeCacheableSignalKeyStore = (keys) => keys;
export const fetchLatestWaWebVersion = async () => ({ version: [2, 3000, 1] });
export const downloadMediaMessage = async (message) => createReadStream(join(server, 'media', message.key.id));
export const proto = {
  Message: {
    encode: (message) => {
      if (message.unencodable) {
        throw new TypeError('invalid wire type');
      }
      return { finish: () => Buffer.from(JSON.stringify(message)) };
    },
    decode: (bytes) => JSON.parse(bytes.toString()),
    AppStateSyncKeyData: { fromObject: (value) => value },
  },
};

export default function makeWASocket({ auth, getMessage }) {
  mkdirSync(join(server, 'in'), { recursive: true });
  console.log('a secret that libraries print');
  const inner = new EventEmitter();
  const ws = new EventEmitter();
  const ev = {
    on: (name, listener) => inner.on(name, listener),
    // Baileys collects messages for a while before it emits them.
    emit: (name, data) => (name === 'messages.upsert' ? setTimeout(() => inner.emit(name, data), 100) : inner.emit(name, data)),
  };
  let open = false;
  let shown = false;
  const offered = new Set();
  const end = (error) => {
    clearInterval(working);
    open = false;
    ev.emit('connection.update', { connection: 'close', lastDisconnect: { error } });
  };

  function work() {
    if (there('down')) {
      end(failure(Number(text('down')) || 428));
      return;
    }
    if (there('again')) {
      const id = text('again');
      rmSync(join(server, 'again'));
      void getMessage({ id }).then((message) => note('again.jsonl', { id, message: message ?? null }));
    }
    if (there('end')) {
      const code = Number(text('end'));
      rmSync(join(server, 'end'));
      end(failure(code));
      return;
    }
    if (there('qr')) {
      if (!shown) {
        shown = true;
        ev.emit('connection.update', { qr: text('qr') });
      }
      return;
    }
    if (!open) {
      open = true;
      auth.creds.me = { id: '4900000000:7@s.whatsapp.net', lid: '900000000000000:7@lid', name: 'Parley' };
      auth.creds.account = {};
      ev.emit('creds.update', {});
      ev.emit('connection.update', { connection: 'open' });
    }
    for (const name of readdirSync(join(server, 'in')).filter((each) => each.endsWith('.json')).sort()) {
      if (!offered.has(name)) {
        offered.add(name);
        const { late, type, beside = [], ...message } = JSON.parse(text(join('in', name)));
        const acknowledge = () => rmSync(join(server, 'in', name));
        if (!late) {
          acknowledge();
        }
        ev.emit('messages.upsert', { messages: [...beside, message], type: type ?? 'notify' });
        if (late) {
          acknowledge();
        }
      }
    }
  }

  const working = setInterval(work, 10);
  return {
    ev,
    ws,
    end,
    sendMessage: async (jid, content, { messageId, quoted }) => {
      if (!open) {
        throw failure(428);
      }
      if (there('hang')) {
        note('attempts.jsonl', { id: messageId, jid });
        return new Promise(() => {});
      }
      const refusal = ['refuse', ...('text' in content ? [] : ['refuse-files'])].find(there);
      if (refusal) {
        setImmediate(() => ws.emit('CB:ack,class:message', { attrs: { id: messageId, error: text(refusal) } }));
        return;
      }
      const sent = { id: messageId, jid, content, quoted: quoted?.key?.id };
      note('attempts.jsonl', sent);
      const before = there('sent.jsonl') ? text('sent.jsonl').split('\n').map((line) => JSON.parse(line).id) : [];
      if (!before.includes(messageId)) {
        note('sent.jsonl', sent);
      }
      if (!there('silent')) {
        setImmediate(() => ws.emit('CB:ack,class:message', { attrs: { id: messageId } }));
      }
      return { key: { id: messageId, remoteJid: jid, fromMe: true }, message: { extendedTextMessage: { text: content.text } } };
    },
    sendPresenceUpdate: async (state, jid) => note('typing.jsonl', { state, jid }),
    groupMetadata: async (jid) => ({ id: jid, subject: `Group ${jid.split('@')[0]}`, participants: [] }),
    requestPairingCode: async () => 'ABCDEFGH',
    updateMediaMessage: async (message) => message,
  };
}
