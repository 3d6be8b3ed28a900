// The messages sent last: a phone that could not decrypt one asks for it again, maybe when the bridge has been started anew.
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { put } from './files.js';

const MOST = 500;

export class Sent {
  #directory;
  #names;

  constructor(directory) {
    this.#directory = directory;
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    const age = (name) => statSync(join(directory, name)).mtimeMs;
    this.#names = readdirSync(directory).filter((name) => !name.startsWith('.')).sort((a, b) => age(a) - age(b));
  }

  /** Keeps a message's content; the oldest goes where there are many. */
  keep(id, bytes) {
    put(join(this.#directory, id), Buffer.from(bytes).toString('base64'));
    this.#names = [...this.#names.filter((name) => name !== id), id];
    for (const name of this.#names.splice(0, Math.max(0, this.#names.length - MOST))) {
      rmSync(join(this.#directory, name), { force: true });
    }
  }

  /** Returns a message's content; undefined where it is not kept. */
  get(id) {
    return this.#names.includes(id) ? Buffer.from(readFileSync(join(this.#directory, id), 'utf8'), 'base64') : undefined;
  }
}
