// The linked device's keys, in the files that Baileys' own store has, so that a session made with it works on. Each file is replaced as a
// whole: a kill never costs the link. The files lid-mapping-* among them are what the gateway reads to know the two forms of a person.
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { put, putDurably } from './files.js';
import { userOf } from './people.js';

const ALIASES = /^lid-mapping-.*\.json$/;
const SAFE = /^[A-Za-z0-9@.+-]+$/;

export class Session {
  #directory;
  #baileys;
  #creds;
  #since;

  constructor(directory, baileys) {
    this.#directory = directory;
    this.#baileys = baileys;
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    this.#begin();
  }

  #begin() {
    this.#creds = this.#read('creds') ?? this.#baileys.initAuthCreds();
    this.#since = this.#read('linked-since');
    if (this.#since === undefined) {
      this.#since = this.isLinked ? 0 : Math.floor(Date.now() / 1000);
      putDurably(this.#path('linked-since'), JSON.stringify(this.#since));
    }
  }

  /** Returns who the account is: its id by number and, where known, by LID; undefined before it is linked. */
  get me() {
    return this.#creds.me;
  }

  get isLinked() {
    return Boolean(this.#creds.account);
  }

  /** Returns since when messages count, in seconds: what a newly linked device is told of earlier ones is history. */
  get since() {
    return this.#since;
  }

  /** Returns what Baileys works on. */
  state() {
    const keys = {
      get: async (type, ids) => {
        const found = {};
        for (const id of ids) {
          let value = this.#read(`${type}-${id}`);
          if (type === 'app-state-sync-key' && value) {
            value = this.#baileys.proto.Message.AppStateSyncKeyData.fromObject(value);
          }
          found[id] = value ?? null;
        }
        return found;
      },
      set: async (data) => {
        for (const [type, values] of Object.entries(data)) {
          for (const [id, value] of Object.entries(values)) {
            if (value) {
              put(this.#path(`${type}-${id}`), this.#text(value));
            } else {
              rmSync(this.#path(`${type}-${id}`), { force: true });
            }
          }
        }
      },
    };
    return { creds: this.#creds, keys };
  }

  save() {
    putDurably(this.#path('creds'), this.#text(this.#creds));
  }

  /** WhatsApp has ended the link: everything but the aliases is of no use any more. */
  forget() {
    for (const name of readdirSync(this.#directory)) {
      if (!ALIASES.test(name)) {
        rmSync(join(this.#directory, name), { force: true, recursive: true });
      }
    }
    this.#begin();
  }

  /** Keeps that two ids are the same person's, before anything of theirs is handed in. */
  alias(number, lid) {
    const [pn, other] = [userOf(number), userOf(lid)];
    if (pn && other && SAFE.test(pn) && SAFE.test(other) && this.#read(`lid-mapping-${pn}`) !== other) {
      putDurably(this.#path(`lid-mapping-${pn}`), JSON.stringify(other));
      putDurably(this.#path(`lid-mapping-${other}_reverse`), JSON.stringify(pn));
    }
  }

  /** Returns the number of a person known by LID; undefined where it is not known. */
  numberOf(lid) {
    const number = this.#read(`lid-mapping-${userOf(lid)}_reverse`);
    return typeof number === 'string' ? `${number}@s.whatsapp.net` : undefined;
  }

  #path(name) {
    return join(this.#directory, `${name.replace(/\//g, '__').replace(/:/g, '-')}.json`);
  }

  #text(value) {
    return JSON.stringify(value, this.#baileys.BufferJSON.replacer);
  }

  #read(name) {
    try {
      return JSON.parse(readFileSync(this.#path(name), 'utf8'), this.#baileys.BufferJSON.reviver);
    } catch {
      return undefined;
    }
  }
}
