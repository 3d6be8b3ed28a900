import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { chatOf, isMe, isOurs, messageId } from '../people.js';
import { contentOf, read } from '../reading.js';
import { Spool } from '../spool.js';

let directory;
beforeEach(() => (directory = mkdtempSync(join(tmpdir(), 'parley-spool-'))));
afterEach(() => rmSync(directory, { recursive: true }));

test('a spool opened again has the entries in their order and counts on', () => {
  const first = new Spool(directory);
  const names = ['a', 'b', 'c'].map((id) => first.put(id, { id }));
  first.done(names[0]);
  writeFileSync(join(directory, '.half.json.tmp'), '{"ha');
  const second = new Spool(directory);
  assert.deepEqual(second.names(), names.slice(1));
  assert.equal(second.put('b', { id: 'b' }), undefined);
  assert.ok(second.put('d', { id: 'd' }) > names[2]);
  assert.ok(!readdirSync(directory).some((name) => name.endsWith('.tmp')));
});

test('a damaged entry is put aside', () => {
  const spool = new Spool(directory);
  const name = spool.put('a', {});
  writeFileSync(join(directory, name), '{"torn');
  assert.equal(spool.read(name), undefined);
  assert.deepEqual(spool.names(), []);
  assert.deepEqual(readdirSync(directory), [`${name}.damaged`]);
});

test('ids of sent messages are the same each time, of the form of Baileys, and known again', () => {
  assert.equal(messageId('o-1', 1), messageId('o-1', 1));
  assert.notEqual(messageId('o-1', 1), messageId('o-1', 2));
  assert.notEqual(messageId('o-1', 11), messageId('o-11', 1));
  assert.match(messageId('o-1', 1), /^3EB0[0-9A-F]{36}$/);
  assert.ok(isOurs(messageId('o-1', 1)));
  assert.ok(!isOurs('3EB0'.padEnd(40, '1')));
  assert.ok(!isOurs(undefined));
});

test('chats may be written as operators write them', () => {
  assert.equal(chatOf('+491511'), '491511@s.whatsapp.net');
  assert.equal(chatOf('120363000000000000'), '120363000000000000@g.us');
  assert.equal(chatOf('491511-1500000000'), '491511-1500000000@g.us');
  assert.equal(chatOf('777@lid'), '777@lid');
});

const me = { id: '4900000000:7@s.whatsapp.net', lid: '900:7@lid' };
const said = (message, key = {}, more = {}) =>
  read({ key: { remoteJid: '1@s.whatsapp.net', id: 'x', ...key }, message, type: 'notify', ...more }, me, () => undefined);

test('the account knows itself by number and by LID, with any device', () => {
  assert.ok(isMe('4900000000@s.whatsapp.net', me));
  assert.ok(isMe('900:3@lid', me));
  assert.ok(!isMe('900@s.whatsapp.net', me));
});

test('wrappers are taken off', () => {
  assert.deepEqual(contentOf({ ephemeralMessage: { message: { viewOnceMessageV2: { message: { conversation: 'x' } } } } }), { conversation: 'x' });
  assert.equal(said({ documentWithCaptionMessage: { message: { documentMessage: { caption: 'see', fileName: 'a.pdf' } } } }).file.name, 'a.pdf');
});

test('what is no text is put into words', () => {
  assert.equal(said({ locationMessage: { degreesLatitude: 1, degreesLongitude: 2, name: 'Here' } }).text, 'Location: Here 1, 2');
  assert.equal(said({ contactMessage: { displayName: 'Ada', vcard: 'BEGIN\nTEL;type=CELL:+49 1\nEND' } }).text, 'Contact: Ada +49 1');
  assert.equal(said({ pollCreationMessageV3: { name: 'Which?', options: [{ optionName: 'a' }, { optionName: 'b' }] } }).text, 'Poll: Which?\n- a\n- b');
  assert.equal(said({ audioMessage: { ptt: true, mimetype: 'audio/ogg; codecs=opus' } }).file.kind, 'voice');
  assert.equal(said({ stickerMessage: {} }).file.kind, 'sticker');
});

test('what says nothing is nothing', () => {
  assert.equal(said({ reactionMessage: { text: 'x' } }), undefined);
  assert.equal(said({ senderKeyDistributionMessage: {} }), undefined);
  assert.equal(said({ protocolMessage: { type: 3 } }), undefined);
});

test('edits and deletions name what they change', () => {
  const edit = said({ protocolMessage: { type: 14, key: { id: 'y' }, editedMessage: { conversation: 'new' } } });
  assert.equal(edit.edited, 'y');
  assert.equal(edit.text, 'new');
  assert.equal(said({ protocolMessage: { type: 0, key: { id: 'y' } } }).deleted, 'y');
  assert.equal(said({ editedMessage: { message: { protocolMessage: { type: 14, key: { id: 'y' }, editedMessage: { conversation: 'n' } } } } }).edited, 'y');
});

test('a reply to the bot is told from a reply to others', () => {
  const reply = (stanzaId, participant) =>
    said({ extendedTextMessage: { text: 'yes', contextInfo: { stanzaId, participant, quotedMessage: { conversation: 'sure?' } } } });
  const ours = reply(messageId('o-1', 1), '4900000000@s.whatsapp.net');
  assert.deepEqual(ours.reply, { id: messageId('o-1', 1), author: '4900000000', text: 'sure?', ours: true });
  assert.equal(ours.mentioned, true);
  assert.equal(reply('3EB0', '2@s.whatsapp.net').mentioned, false);
  assert.equal(reply(messageId('o-1', 1), '2@s.whatsapp.net').reply.ours, false);
});
