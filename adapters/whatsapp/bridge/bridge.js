#!/usr/bin/env node
// The bridge: a process that the gateway starts and speaks with over its standard input and output, one JSON object a line. It listens
// nowhere, and it ends when the gateway does, whatever way.
import { createWriteStream, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Intake } from './intake.js';
import { Link } from './link.js';
import { Outgoing } from './outgoing.js';
import { isGroup, isLid, isNumber } from './people.js';
import { isIgnored, read } from './reading.js';
import { Sent } from './sent.js';
import { Session } from './session.js';
import { Spool } from './spool.js';

const FILE_PATIENCE = 120_000;
const GROUP_PATIENCE = 5_000;

process.umask(0o077);
const write = process.stdout.write.bind(process.stdout);
const tell = (message) => void write(`${JSON.stringify(message)}\n`);
// Libraries print keys and texts now and then; standard output is the gateway's, and nothing of theirs may reach a log.
process.stdout.write = process.stderr.write = () => true;
process.on('uncaughtException', (e) => fail(e));
process.on('unhandledRejection', (e) => tell({ type: 'note', text: `an unexpected ${e?.name ?? 'failure'}` }));

let end = () => process.exit(0);
let begun;
// A line ends with a line feed and with nothing else: node:readline of some versions ends it at U+2028 too, which texts may hold.
let rest = '';
process.stdin.setEncoding('utf8');
process.stdin.on('end', () => end());
process.stdin.on('data', (chunk) => {
  const lines = (rest + chunk).split('\n');
  rest = lines.pop();
  lines.forEach(hear);
});

function hear(line) {
  const word = JSON.parse(line);
  if (begun) {
    void begun.then((meanings) => meanings[word.type]?.(word));
  } else {
    begun = run(word).catch(fail);
  }
}

function fail(e) {
  const missing = e?.code === 'ERR_MODULE_NOT_FOUND';
  tell({ type: 'fatal', text: missing ? 'a package is missing' : String(e?.message ?? e).split('\n')[0] });
  setTimeout(() => process.exit(1), 100);
  return {};
}

/** Begins, and returns what the gateway's words mean. The first one has `directory`, `session`, `selfChat`, `phone`, `largest`, and for tests `pause`. */
async function run(words) {
  const baileys = await import('@whiskeysockets/baileys');
  const { directory } = words;
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const files = join(directory, 'files');
  rmSync(files, { recursive: true, force: true });
  mkdirSync(files, { mode: 0o700 });
  const session = new Session(words.session, baileys);
  const spool = new Spool(join(directory, 'spool'));
  const subjects = new Map();
  const sent = new Sent(join(directory, 'sent'));
  const outgoing = new Outgoing(() => link.open, keep, words);
  const link = new Link(
    baileys,
    session,
    {
      directory,
      phone: words.phone,
      upserted: ({ messages, type }) => messages.forEach((message) => takeReadable(message, type)),
      acknowledged: (attributes) => outgoing.acknowledged(attributes),
      disconnected: () => outgoing.disconnected(),
      opened: () => subjects.clear(),
      sent: ({ id }) => decode(sent.get(id)),
    },
    tell,
  );
  const intake = new Intake(spool, (name, entry) =>
    handIn(name, entry).catch((e) => {
      tell({ type: 'note', text: `a message that could not be handed in (${e.code ?? e.name}) and is offered again` });
      intake.later(name, 1000);
    }),
  );

  function decode(bytes) {
    return bytes && baileys.proto.Message.decode(bytes);
  }

  /** A message that cannot be kept was sent all the same. */
  function keep(id, message) {
    try {
      sent.keep(id, baileys.proto.Message.encode(message).finish());
    } catch (e) {
      tell({ type: 'note', text: `a sent message that cannot be kept (${e.code ?? e.name})` });
    }
  }

  /** A message that makes no sense does not keep those beside it from being taken. */
  function takeReadable(message, type) {
    try {
      take(message, type);
    } catch {
      tell({ type: 'note', text: 'a message of a form that is not known, which was left out' });
    }
  }

  let unstored = false;
  /** The first act on a message. Where it cannot be written it stays in memory until it can. */
  function take(message, type) {
    const at = Number(message.messageTimestamp?.toString() ?? 0);
    if (isIgnored(message, session.me, words.selfChat) || (type === 'append' && at && at < session.since)) {
      return;
    }
    const { remoteJid } = message.key;
    const entry = {
      key: message.key,
      pushName: message.pushName,
      type,
      at,
      message: Buffer.from(baileys.proto.Message.encode(message.message).finish()).toString('base64'),
    };
    try {
      const name = spool.put(`${remoteJid} ${message.key.participant ?? ''} ${message.key.id}`, entry);
      unstored = false;
      if (name) {
        intake.add(name, queue(message.key));
      }
    } catch (e) {
      if (!unstored) {
        tell({ type: 'state', state: 'unstored', why: e.code ?? e.name });
      }
      unstored = true;
      setTimeout(() => take(message, type), 1000);
    }
  }

  /** Messages of one person keep their order whichever of their ids WhatsApp names. */
  function queue({ remoteJid, remoteJidAlt }) {
    return [remoteJid, remoteJidAlt].find(isNumber) ?? session.numberOf(remoteJid) ?? remoteJid;
  }

  function readable(message) {
    try {
      return read(message, session.me, (lid) => session.numberOf(lid));
    } catch {
      tell({ type: 'note', text: 'a message of a form that is not known, which was left out' });
      return undefined;
    }
  }

  /** Hands in an entry with its file and the name of its group; resolves to true where nothing of it is for the gateway. */
  async function handIn(name, entry) {
    const message = { ...entry, message: decode(Buffer.from(entry.message, 'base64')) };
    const { key } = message;
    const people = [key.participant ?? key.remoteJid, key.participantAlt ?? key.remoteJidAlt];
    session.alias(people.find(isNumber), people.find(isLid));
    const said = readable(message);
    if (!said) {
      return true;
    }
    outgoing.remember(message);
    if (said.file) {
      said.file.path = await fetched(message, said.file, join(files, name)).catch(() => undefined);
    }
    const chatName = isGroup(key.remoteJid) ? await subject(key.remoteJid) : said.userName;
    tell({ type: 'message', name, chatName, ...said });
    return false;
  }

  async function fetched(message, { bytes }, path) {
    if (bytes > words.largest) {
      return undefined;
    }
    const context = { logger: { info() {} }, reuploadRequest: (each) => link.socket.updateMediaMessage(each) };
    const stop = AbortSignal.timeout(FILE_PATIENCE);
    const stream = await baileys.downloadMediaMessage(message, 'stream', { options: { signal: stop } }, context);
    let left = words.largest;
    const capped = new Transform({
      transform(chunk, encoding, next) {
        left -= chunk.length;
        next(left < 0 ? new Error('too large') : null, chunk);
      },
    });
    await pipeline(stream, capped, createWriteStream(path, { mode: 0o600 }), { signal: stop });
    return path;
  }

  async function subject(jid) {
    if (!subjects.has(jid) && link.open) {
      const patience = new Promise((resolve) => setTimeout(resolve, GROUP_PATIENCE).unref());
      const group = await Promise.race([link.open.groupMetadata(jid).catch(() => undefined), patience]);
      if (group?.subject) {
        subjects.set(jid, group.subject);
      }
    }
    return subjects.get(jid);
  }

  end = () => {
    link.stop();
    setTimeout(() => process.exit(0), 200);
  };
  for (const name of spool.names()) {
    const entry = spool.read(name);
    if (entry) {
      intake.add(name, queue(entry.key));
    }
  }
  link.connect();
  return {
    taken: ({ name }) => {
      intake.taken(name);
      rmSync(join(files, name), { force: true });
    },
    later: ({ name, pause }) => intake.later(name, pause),
    send: async ({ call, ...part }) => tell({ type: 'called', call, ...(await outgoing.send(part)) }),
    typing: (chat) => outgoing.typing(chat),
    stop: () => end(),
  };
}
