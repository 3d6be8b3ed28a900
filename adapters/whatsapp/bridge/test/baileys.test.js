// The pinned Baileys itself, without a network: it loads and has what the bridge calls. TEST_BAILEYS names the directory it is installed in.
import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';

const here = join(dirname(fileURLToPath(import.meta.url)), '..');
const directory = mkdtempSync(join(tmpdir(), 'parley-baileys-'));
const part = (name) => import(pathToFileURL(join(directory, name)));
let baileys;

before(async () => {
  for (const name of readdirSync(here).filter((each) => /\.js$|^package\.json$/.test(each))) {
    cpSync(join(here, name), join(directory, name));
  }
  symlinkSync(join(process.env.TEST_BAILEYS, 'node_modules'), join(directory, 'node_modules'));
  // Libraries print to standard output, which is this test's report.
  console.log = console.info = console.warn = console.error = () => {};
  baileys = await import(pathToFileURL(join(directory, 'node_modules/@whiskeysockets/baileys/lib/index.js')));
});

after(() => rmSync(directory, { recursive: true }));

function link(Link, Session, upserted) {
  const session = new Session(join(directory, 'session'), baileys);
  const options = {
    directory, upserted, acknowledged() {}, disconnected() {}, opened() {}, sent() {},
    socket: { waWebSocketUrl: 'ws://127.0.0.1:1/', connectTimeoutMs: 1000 },
  };
  return new Link(baileys, session, options, () => {});
}

test('it is the version that is pinned', () => {
  const installed = JSON.parse(readFileSync(join(directory, 'node_modules/@whiskeysockets/baileys/package.json'), 'utf8'));
  assert.equal(installed.version, JSON.parse(readFileSync(join(here, 'package.json'), 'utf8')).dependencies[installed.name]);
});

test('a socket has what is called, and its messages are taken when they are emitted, before they are collected', async () => {
  const [{ Link }, { Session }] = [await part('link.js'), await part('session.js')];
  const taken = [];
  const made = link(Link, Session, ({ messages, type }) => taken.push([messages[0].key.id, type]));
  made.connect();
  const socket = made.socket;
  for (const name of ['sendMessage', 'sendPresenceUpdate', 'groupMetadata', 'requestPairingCode', 'updateMediaMessage', 'end']) {
    assert.equal(typeof socket[name], 'function', name);
  }
  assert.equal(typeof socket.ws.on, 'function');
  for (const name of ['downloadMediaMessage', 'fetchLatestWaWebVersion']) {
    assert.equal(typeof baileys[name], 'function', name);
  }
  socket.ev.buffer();
  // The way of every message within Baileys; what comes after needs an account.
  socket.upsertMessage({ key: { remoteJid: '1@s.whatsapp.net', id: 'X' }, message: { conversation: 'x' } }, 'notify').catch(() => {});
  assert.deepEqual(taken, [['X', 'notify']]);
  made.stop();
});

test('keys are kept and read as Baileys keeps them itself', async () => {
  const { Session } = await part('session.js');
  const session = new Session(join(directory, 'kept'), baileys);
  const { keys, creds } = session.state();
  await keys.set({ 'pre-key': { 1: { public: Buffer.from('a'), private: Buffer.from('b') } }, 'lid-mapping': { 4915: '77', '77_reverse': '4915' } });
  session.save();
  const theirs = await baileys.useMultiFileAuthState(join(directory, 'kept'));
  assert.deepEqual(theirs.state.creds.noiseKey, creds.noiseKey);
  const [own, other] = [await keys.get('pre-key', ['1']), await theirs.state.keys.get('pre-key', ['1'])];
  assert.deepEqual(own, other);
  assert.ok(Buffer.isBuffer(own[1].public));
  assert.equal(session.numberOf('77@lid'), '4915@s.whatsapp.net');
});

test('what the spool holds of a message is the message', async () => {
  const { read } = await part('reading.js');
  const { Message } = baileys.proto;
  const bytes = Message.encode({ imageMessage: { caption: 'see', mimetype: 'image/png', fileLength: 7, mediaKey: Buffer.from('k') } }).finish();
  const message = Message.decode(Buffer.from(Buffer.from(bytes).toString('base64'), 'base64'));
  const said = read({ key: { remoteJid: '1@s.whatsapp.net', id: 'x' }, message, at: 1 }, {}, () => undefined);
  assert.deepEqual([said.text, said.file.kind, said.file.type, said.file.bytes], ['see', 'photo', 'image/png', 7]);
  const edit = Message.decode(Message.encode({ protocolMessage: { type: 14, key: { id: 'y' }, editedMessage: { conversation: 'n' } } }).finish());
  assert.equal(read({ key: { remoteJid: '1@s.whatsapp.net', id: 'x' }, message: edit }, {}, () => undefined).edited, 'y');
  const plain = Message.decode(Message.encode({ conversation: 'hello' }).finish());
  assert.equal(read({ key: { remoteJid: '1@s.whatsapp.net', id: 'x' }, message: plain }, {}, () => undefined).text, 'hello');
});
