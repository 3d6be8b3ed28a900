import assert from 'node:assert/strict';
import { existsSync, readdirSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { messageId } from '../people.js';
import { Rig, until } from './rig.js';

const ADA = '491511@s.whatsapp.net';
const BOB = '491522@s.whatsapp.net';
const GROUP = '120363000000000000@g.us';
const texts = (bridge) => bridge.messages().map((word) => word.text);
let rig;

beforeEach(() => (rig = new Rig()));
afterEach(() => rig.close());

test('what people write is handed in and leaves the spool once the gateway has stored it', async () => {
  const bridge = rig.start(() => undefined);
  const id = rig.write(ADA, 'hello');
  await until('it is handed in', () => bridge.messages().length === 1);

  const [message] = bridge.messages();
  assert.equal(message.id, id);
  assert.equal(message.text, 'hello');
  assert.equal(message.chat, ADA);
  assert.equal(message.direct, true);
  assert.equal(message.user, '491511');
  assert.equal(message.userName, 'Ada');
  assert.equal(rig.spooled().length, 1);

  bridge.tell({ type: 'taken', name: message.name });
  await until('the spool is empty', () => rig.spooled().length === 0);
});

test('what WhatsApp was told to be received survives a kill before the gateway has stored it', async () => {
  const first = rig.start(() => undefined);
  await first.open();
  const ids = Array.from({ length: 20 }, (each, i) => rig.write(ADA, `m${i}`));
  await until('all is in the spool', () => rig.spooled().length === 20);
  await first.kill();
  assert.equal(rig.waiting(), 0);

  const second = rig.start();
  await until('the spool is empty', () => rig.spooled().length === 0);
  assert.deepEqual(second.messages().map((word) => word.id), ids);
});

test('over many kills nothing is lost, and each chat keeps its order', async () => {
  const stored = [];
  const seen = new Set();
  let answers = 0;
  let lost = false;
  const gateway = ({ name, chat, id, text }) => {
    answers++;
    if (answers % 5 === 0) {
      return { type: 'later', name, pause: 1 };
    }
    if (!seen.has(id)) {
      seen.add(id);
      stored.push(`${chat} ${text}`);
    }
    // In each life one answer is lost with the process; the other chat works on.
    if (!lost && answers % 7 === 0) {
      lost = true;
      return undefined;
    }
    return { type: 'taken', name };
  };
  let written = 0;
  for (let life = 0; life < 4; life++) {
    for (let i = 0; i < 10; i++, written++) {
      rig.write(ADA, `m${written}`, { message: { late: true } });
      rig.write(BOB, `m${written}`, { message: { late: true } });
    }
    lost = false;
    const bridge = rig.start(gateway);
    const enough = stored.length + 3 + life;
    await until('some is stored', () => stored.length >= enough);
    await bridge.kill();
  }
  rig.start(({ name, chat, id, text }) => {
    if (!seen.has(id)) {
      seen.add(id);
      stored.push(`${chat} ${text}`);
    }
    return { type: 'taken', name };
  });
  await until('all is taken', () => rig.waiting() === 0 && rig.spooled().length === 0 && stored.length === 2 * written);
  for (const chat of [ADA, BOB]) {
    assert.deepEqual(
      stored.filter((line) => line.startsWith(chat)),
      Array.from({ length: written }, (each, i) => `${chat} m${i}`),
    );
  }
});

test('a chat waits for the message that could not be stored, others do not', async () => {
  let full = true;
  const bridge = rig.start(({ name, chat }) => (full && chat === ADA ? { type: 'later', name, pause: 5 } : { type: 'taken', name }));
  rig.write(ADA, 'one');
  rig.write(ADA, 'two');
  rig.write(BOB, 'three');
  await until('the other chat is served', () => texts(bridge).includes('three'));
  await until('it was offered again', () => texts(bridge).filter((text) => text === 'one').length > 2);
  assert.ok(!texts(bridge).includes('two'));
  full = false;
  await until('all is taken', () => rig.spooled().length === 0);
  assert.equal(texts(bridge).at(-1), 'two');
});

test('what is offered again under the same id is handed in once', async () => {
  const bridge = rig.start();
  rig.write(ADA, 'once', { id: 'SAME' });
  await until('it is taken', () => bridge.messages().length === 1 && rig.spooled().length === 0);
  rig.write(ADA, 'once', { id: 'SAME' });
  rig.write(ADA, 'end');
  await until('the end is handed in', () => texts(bridge).includes('end'));
  assert.deepEqual(texts(bridge), ['once', 'end']);
});

test('messages of an outage come as append and count, older history does not', async () => {
  const bridge = rig.start();
  await bridge.open();
  rig.write(ADA, 'history', { message: { type: 'append', messageTimestamp: 1_000 } });
  rig.write(ADA, 'missed', { message: { type: 'append' } });
  await until('it is handed in', () => texts(bridge).includes('missed'));
  assert.deepEqual(texts(bridge), ['missed']);
});

test('broadcasts, newsletters, what says nothing and what the account wrote itself are left out', async () => {
  const bridge = rig.start();
  rig.write('status@broadcast', 'no');
  rig.write('123@newsletter', 'no');
  rig.write('5@broadcast', 'no');
  rig.write(ADA, 'no', { key: { fromMe: true } });
  rig.write(ADA, '', { message: { message: { reactionMessage: { text: '!', key: { id: 'x' } } } } });
  rig.write(ADA, '', { message: { message: undefined } });
  rig.write('4900000000@s.whatsapp.net', 'no', { key: { fromMe: true } });
  rig.write(ADA, 'end');
  await until('the end is handed in', () => texts(bridge).includes('end') && rig.spooled().length === 0);
  assert.deepEqual(texts(bridge), ['end']);
});

test('in the chat with oneself what the bridge has sent is no message', async () => {
  const bridge = rig.start(undefined, { selfChat: true });
  await bridge.open();
  rig.write('4900000000@s.whatsapp.net', 'echo', { id: messageId('o-1', 1), key: { fromMe: true } });
  rig.write('900000000000000@lid', 'a note', { key: { fromMe: true } });
  await until('it is handed in', () => texts(bridge).includes('a note'));
  assert.deepEqual(texts(bridge), ['a note']);
});

test('a person known by a LID is handed in by number, and the alias is on disk before', async () => {
  const aliases = [];
  const bridge = rig.start(({ name }) => {
    aliases.push(JSON.parse(readFileSync(join(rig.session, 'lid-mapping-491511.json'), 'utf8')));
    return { type: 'taken', name };
  });
  rig.write('777000111222333@lid', 'by lid', { key: { remoteJidAlt: '491511:4@s.whatsapp.net' } });
  rig.write('777000111222333@lid', 'by lid alone');
  await until('both are handed in', () => bridge.messages().length === 2);
  assert.deepEqual(aliases, ['777000111222333', '777000111222333']);
  assert.equal(JSON.parse(readFileSync(join(rig.session, 'lid-mapping-777000111222333_reverse.json'), 'utf8')), '491511');
  for (const message of bridge.messages()) {
    assert.equal(message.chat, '491511@s.whatsapp.net');
    assert.equal(message.user, '491511');
    assert.equal(message.userAlt, '777000111222333@lid');
  }
});

test('a group names itself and who writes; naming the account by LID is a mention', async () => {
  const bridge = rig.start();
  await bridge.open();
  rig.write(GROUP, '', {
    key: { participant: '777@lid', participantAlt: ADA },
    message: { message: { extendedTextMessage: { text: '@900000000000000 do it', contextInfo: { mentionedJid: ['900000000000000@lid'] } } } },
  });
  await until('it is handed in', () => bridge.messages().length === 1);
  const [message] = bridge.messages();
  assert.equal(message.chat, GROUP);
  assert.equal(message.direct, false);
  assert.equal(message.chatName, 'Group 120363000000000000');
  assert.equal(message.user, '491511');
  assert.equal(message.mentioned, true);
  assert.equal(message.text, 'do it');
});

test('a file comes as bytes on disk, one that cannot be had costs no message', async () => {
  const contents = [];
  const bridge = rig.start(({ name, file }) => {
    contents.push(file.path ? readFileSync(file.path, 'utf8') : undefined);
    return { type: 'taken', name };
  });
  const photo = { imageMessage: { caption: 'look', mimetype: 'image/png', fileLength: 4 } };
  const id = rig.write(ADA, '', { message: { message: {} } });
  writeFileSync(join(rig.server, 'media', 'P1'), 'pixels');
  writeFileSync(join(rig.server, 'media', 'P2'), 'x'.repeat(2000));
  rig.write(ADA, '', { id: 'P1', message: { message: photo } });
  rig.write(ADA, '', { id: 'P2', message: { message: photo } });
  rig.write(ADA, '', { id: 'P3', message: { message: photo } });
  await until('all are handed in', () => bridge.messages().length === 3);
  assert.deepEqual(contents, ['pixels', undefined, undefined]);
  assert.equal(bridge.messages()[0].text, 'look');
  assert.equal(bridge.messages()[0].file.kind, 'photo');
  await until('no copy is left', () => readdirSync(join(rig.directory, 'files')).length === 0);
  assert.ok(id);
});

test('a message sent again under its id is shown once, also by another process', async () => {
  const first = rig.start();
  await first.open();
  const part = { message: 'o-1', chat: ADA, text: 'answer' };
  const once = await first.call(part);
  const again = await first.call(part);
  await first.kill();
  const second = rig.start();
  await second.open();
  const third = await second.call(part);
  assert.deepEqual([again.sent, third.sent], [once.sent, once.sent]);
  assert.equal(rig.log('attempts.jsonl').length, 3);
  assert.equal(rig.log('sent.jsonl').length, 1);
  assert.notEqual((await second.call({ ...part, part: 2 })).sent, once.sent);
});

test('a phone that could not decrypt a message gets it again, also from another process', async () => {
  const first = rig.start();
  await first.open();
  const { sent } = await first.call({ message: 'o-1', chat: ADA, text: 'answer' });
  await first.kill();
  const second = rig.start();
  await second.open();
  rig.set('again', sent);
  await until('it is asked for', () => rig.log('again.jsonl').length === 1);
  rig.set('again', 'unknown');
  await until('it is asked for', () => rig.log('again.jsonl').length === 2);
  assert.deepEqual(rig.log('again.jsonl').map((each) => each.message), [{ extendedTextMessage: { text: 'answer' } }, null]);
});

test('sends follow each other in the order in which they were asked for', async () => {
  const bridge = rig.start();
  await bridge.open();
  await Promise.all(Array.from({ length: 10 }, (each, i) => bridge.call({ message: `o-${i}`, chat: ADA, text: `t${i}` })));
  assert.deepEqual(rig.log('sent.jsonl').map((sent) => sent.content.text), Array.from({ length: 10 }, (each, i) => `t${i}`));
});

test('what becomes of a send is told: not connected, refused, broken off, not acknowledged', async () => {
  rig.set('down', '428');
  const bridge = rig.start(undefined, { patience: 60_000 });
  await until('the outage is told', () => bridge.states().includes('closed'));
  const part = { message: 'o-1', chat: '491511', text: 'x' };
  assert.equal((await bridge.call(part)).failed, 'away');
  rig.unset('down');
  await bridge.open();
  rig.set('refuse', '479');
  assert.equal((await bridge.call(part)).failed, 'rejected');
  rig.unset('refuse');
  rig.set('silent');
  const broken = bridge.call(part);
  await until('it was tried', () => rig.log('attempts.jsonl').length === 1);
  rig.set('down', '428');
  assert.equal((await broken).failed, 'unknown');

  const patient = rig.start(undefined, { patience: 50, directory: join(rig.root, 'other'), session: join(rig.root, 'other/session') });
  rig.unset('down');
  await patient.open();
  assert.ok((await patient.call(part)).sent);
});

test('a send that never ends is told as unknown and keeps no other waiting', async () => {
  const bridge = rig.start(undefined, { sendPatience: 50 });
  await bridge.open();
  rig.set('hang');
  assert.equal((await bridge.call({ message: 'o-1', chat: ADA, text: 'x' })).failed, 'unknown');
  rig.unset('hang');
  assert.ok((await bridge.call({ message: 'o-1', chat: ADA, text: 'x' })).sent);
  await bridge.kill();

  const patient = rig.start(undefined, { directory: join(rig.root, 'other'), session: join(rig.root, 'other/session') });
  await patient.open();
  rig.set('hang');
  const broken = patient.call({ message: 'o-2', chat: ADA, text: 'x' });
  await until('it was tried', () => rig.log('attempts.jsonl').length === 3);
  rig.set('end', '428');
  assert.equal((await broken).failed, 'unknown');
});

test('a message that cannot be written to disk waits in memory, and is told once', async () => {
  const bridge = rig.start();
  await bridge.open();
  renameSync(join(rig.directory, 'spool'), join(rig.directory, 'away'));
  rig.write(ADA, 'kept');
  await until('it is told', () => bridge.states().includes('unstored'));
  renameSync(join(rig.directory, 'away'), join(rig.directory, 'spool'));
  await until('it is handed in', () => texts(bridge).includes('kept'));
  assert.equal(bridge.states().filter((state) => state === 'unstored').length, 1);
});

test('answers in groups quote what they answer', async () => {
  const bridge = rig.start();
  await bridge.open();
  const id = rig.write(GROUP, 'question', { key: { participant: ADA } });
  await until('it is handed in', () => bridge.messages().length === 1);
  await bridge.call({ message: 'o-1', chat: GROUP, text: 'answer', replyTo: id });
  assert.equal(rig.log('sent.jsonl')[0].quoted, id);
});

test('a message that makes no sense keeps nothing from those that come with it', async () => {
  const bridge = rig.start();
  const beside = [null, { key: { remoteJid: ADA, id: 'ODD' }, message: { unencodable: true } }];
  rig.write(ADA, 'sense', { message: { beside } });
  await until('it is handed in', () => texts(bridge).includes('sense'));
  assert.equal(bridge.said.filter((word) => word.type === 'note').length, 2);
});

test('what the gateway says ends with its line feed, whatever other ends of lines a text holds', async () => {
  const bridge = rig.start();
  await bridge.open();
  const text = 'one\u2028two\u2029three\u0085four\rfive';
  assert.ok((await bridge.call({ message: 'o-1', chat: ADA, text })).sent);
  assert.equal(rig.log('sent.jsonl')[0].content.text, text);
});

test('a code to link is drawn into a file that only the owner reads, and goes once it is used', async () => {
  rig.set('qr', 'code-1');
  const bridge = rig.start();
  await until('the code is shown', () => bridge.states().includes('qr'));
  const path = join(rig.directory, 'link-code.txt');
  assert.match(readFileSync(path, 'utf8'), /code-1/);
  rig.unset('qr');
  await bridge.open();
  assert.ok(!existsSync(path));
});

test('a code that nobody scanned in time is drawn anew without a word', async () => {
  rig.set('qr', 'code-1');
  const bridge = rig.start();
  await until('the code is shown', () => bridge.states().includes('qr'));
  rig.set('qr', 'code-2');
  rig.set('end', '408');
  await until('the next code is asked for', () => bridge.states().filter((state) => state === 'qr').length > 1);
  assert.ok(!bridge.states().includes('closed'));
});

test('with a phone number the code is in letters', async () => {
  rig.set('qr', 'code-1');
  const bridge = rig.start(undefined, { phone: '491511' });
  await until('the code is told', () => bridge.said.some((word) => word.code === 'ABCD-EFGH'));
});

test('a device that WhatsApp has logged out forgets its keys, keeps the aliases and asks to be linked anew', async () => {
  mkdirSync(rig.session, { recursive: true });
  writeFileSync(join(rig.session, 'lid-mapping-1.json'), '"2"');
  writeFileSync(join(rig.session, 'session-1.json'), '{}');
  rig.set('down', '401');
  const bridge = rig.start();
  await until('it is told', () => bridge.said.some((word) => word.state === 'closed' && word.code === 401));
  rig.set('qr', 'anew');
  rig.unset('down');
  await until('the code is shown', () => bridge.states().includes('qr'));
  assert.deepEqual(readdirSync(rig.session).filter((name) => /mapping|session-/.test(name)), ['lid-mapping-1.json']);
});

test('it ends with the gateway, and prints nothing of what libraries print', async () => {
  const bridge = rig.start();
  await bridge.open();
  bridge.child.stdin.end();
  assert.equal(await bridge.gone, 0);
  assert.ok(!JSON.stringify(bridge.said).includes('a secret that libraries print'));
});
