// Hands the spool to the gateway: the messages of a chat one by one, in order, each until the gateway has stored it.
const MOST_AT_ONCE = 64;

export class Intake {
  #spool;
  #handIn;
  #chats = new Map();
  #waiting = new Map();
  #ready = [];
  #running = 0;

  /** `handIn(name, entry)` resolves to true where nothing of the entry is for the gateway, else once it has been written to it. */
  constructor(spool, handIn) {
    this.#spool = spool;
    this.#handIn = handIn;
  }

  /** Adds an entry of the spool behind those of its chat. */
  add(name, chat) {
    const queue = this.#chats.get(chat);
    if (queue) {
      queue.push(name);
    } else {
      this.#chats.set(chat, [name]);
      this.#offer(chat);
    }
  }

  #offer(chat) {
    this.#ready.push(chat);
    this.#work();
  }

  #work() {
    while (this.#running < MOST_AT_ONCE && this.#ready.length > 0) {
      this.#running++;
      void this.#begin(this.#ready.shift());
    }
  }

  async #begin(chat) {
    const name = this.#chats.get(chat)[0];
    this.#waiting.set(name, chat);
    const entry = this.#spool.read(name);
    if (!entry || (await this.#handIn(name, entry))) {
      this.taken(name);
    }
  }

  /** The gateway has stored an entry, or never wants it. */
  taken(name) {
    const chat = this.#waiting.get(name);
    if (chat === undefined) {
      return;
    }
    this.#waiting.delete(name);
    this.#running--;
    this.#spool.done(name);
    const queue = this.#chats.get(chat);
    queue.shift();
    if (queue.length > 0) {
      this.#ready.push(chat);
    } else {
      this.#chats.delete(chat);
    }
    this.#work();
  }

  /** The gateway cannot store an entry now: it is offered again after a pause, before anything else of its chat. */
  later(name, millis) {
    const chat = this.#waiting.get(name);
    if (chat !== undefined) {
      this.#waiting.delete(name);
      this.#running--;
      setTimeout(() => this.#offer(chat), millis);
      this.#work();
    }
  }
}
