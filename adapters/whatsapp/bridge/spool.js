// What WhatsApp was told to be received and the gateway has not stored yet: one file for each message, in the order of arrival.
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { putDurably } from './files.js';

const NAME = /^([0-9]{12})-([0-9a-f]{32})\.json$/;
const REMEMBERED = 5000;

export class Spool {
  #directory;
  #next = 1;
  #known = new Map();

  /** Opens a spool; what an earlier process left is in it. */
  constructor(directory) {
    this.#directory = directory;
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    for (const name of readdirSync(directory)) {
      if (name.endsWith('.tmp')) {
        rmSync(join(directory, name), { force: true });
      }
    }
    for (const name of this.names()) {
      const [, number, digest] = NAME.exec(name);
      this.#next = Number(number) + 1;
      this.#known.set(digest, name);
    }
  }

  /** Returns the names of all entries, the oldest first. */
  names() {
    return readdirSync(this.#directory).filter((name) => NAME.test(name)).sort();
  }

  /** Stores an entry, which is on disk on return. Returns its name; undefined where an entry of this id is or was there. */
  put(id, entry) {
    const digest = createHash('sha256').update(id).digest('hex').slice(0, 32);
    if (this.#known.has(digest)) {
      return undefined;
    }
    const name = `${String(this.#next).padStart(12, '0')}-${digest}.json`;
    putDurably(join(this.#directory, name), JSON.stringify(entry));
    this.#next++;
    this.#known.set(digest, name);
    return name;
  }

  /** Returns an entry; undefined where its file is damaged, which is then put aside. */
  read(name) {
    const path = join(this.#directory, name);
    try {
      return JSON.parse(readFileSync(path, 'utf8'));
    } catch {
      renameSync(path, `${path}.damaged`);
      return undefined;
    }
  }

  /** The gateway has stored an entry; its id is remembered for a while, since WhatsApp may offer it again. */
  done(name) {
    rmSync(join(this.#directory, name), { force: true });
    if (this.#known.size > REMEMBERED) {
      const waiting = new Set(this.names());
      for (const [digest, known] of this.#known) {
        if (this.#known.size <= REMEMBERED / 2) {
          break;
        }
        if (!waiting.has(known)) {
          this.#known.delete(digest);
        }
      }
    }
  }
}
