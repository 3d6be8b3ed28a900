// What the gateway sends: one message after the other, each under the id that follows from it, so that a repeat is shown once.
import { chatOf, isGroup, messageId } from './people.js';

const KINDS = { photo: 'image', image: 'image', video: 'video', animation: 'video', audio: 'audio', voice: 'audio' };
// What WhatsApp shows as what it is; it takes anything else as a document.
const SHOWN = {
  image: ['image/jpeg', 'image/png'],
  video: ['video/mp4', 'video/3gpp'],
  audio: ['audio/aac', 'audio/amr', 'audio/mpeg', 'audio/mp4', 'audio/ogg'],
};
const FAILURES = { 403: 'forbidden', 404: 'gone', 406: 'rejected', 410: 'gone' };
const REMEMBERED = 1000;
const LOST = Symbol('lost');

export class Outgoing {
  #socket;
  #keep;
  #pause;
  #patience;
  #sendPatience;
  #last = Promise.resolve();
  #acknowledged = new Map();
  #seen = new Map();

  /**
   * `socket()` gives the open connection or undefined; `keep(id, message)` keeps what was sent; after each message there is a pause; an acknowledgement of WhatsApp's is waited
   * for with some patience, and so is what is written to WhatsApp at all, all in milliseconds.
   */
  constructor(socket, keep, { pause = 300, patience = 10_000, sendPatience = 45_000 } = {}) {
    this.#socket = socket;
    this.#keep = keep;
    this.#pause = pause;
    this.#patience = patience;
    this.#sendPatience = sendPatience;
  }

  /** Remembers a message that was received, for answers that quote it. */
  remember(message) {
    this.#seen.set(message.key.id, message);
    if (this.#seen.size > REMEMBERED) {
      this.#seen.delete(this.#seen.keys().next().value);
    }
  }

  /** WhatsApp's server has taken a message, or refused it with an error. */
  acknowledged({ id, error }) {
    this.#acknowledged.get(id)?.(error);
  }

  /** The connection is over: what was written to it may not have arrived. */
  disconnected() {
    for (const tell of this.#acknowledged.values()) {
      tell('closed');
    }
  }

  /** Sends a part; resolves to what became of it, never rejects. */
  send(part) {
    const sent = this.#last.then(() => this.#send(part));
    this.#last = sent.then(() => new Promise((resolve) => setTimeout(resolve, this.#pause)));
    return sent;
  }

  async #send({ message, part, chat, text, file, replyTo }) {
    const socket = this.#socket();
    if (!socket) {
      return { failed: 'away', why: 'WhatsApp is not connected.' };
    }
    const id = messageId(message, part);
    const jid = chatOf(chat);
    const quoted = isGroup(jid) && replyTo ? this.#seen.get(replyTo) : undefined;
    const answer = new Promise((resolve) => this.#acknowledged.set(id, resolve));
    let timer;
    let sendTimer;
    const patience = new Promise((resolve) => (timer = setTimeout(resolve, this.#patience)));
    try {
      const sending = socket.sendMessage(jid, content(text, file), { messageId: id, ...(quoted && { quoted }) });
      // Baileys may wait without end; what waits behind this message must not.
      sending.catch(() => {});
      const late = new Promise((resolve) => (sendTimer = setTimeout(resolve, this.#sendPatience, LOST)));
      const closed = answer.then((error) => (error === 'closed' ? LOST : sending));
      const shown = await Promise.race([sending, late, closed]);
      if (shown === LOST) {
        return { failed: 'unknown', why: 'WhatsApp did not take a message in time, or the connection broke.' };
      }
      this.#keep(id, shown?.message);
      const error = await Promise.race([answer, patience]);
      if (error === 'closed') {
        return { failed: 'unknown', why: 'The connection to WhatsApp broke while a message was sent.' };
      }
      return error ? { failed: 'rejected', why: `WhatsApp refused the message with error ${error}.` } : { sent: id };
    } catch (e) {
      const code = [e?.data, e?.output?.statusCode].find(Number.isInteger) ?? 0;
      // What ends the connection says nothing of the message.
      const failed = this.#socket() === socket ? (FAILURES[code] ?? 'unknown') : 'unknown';
      return { failed, why: `Sending to WhatsApp failed with code ${code}.` };
    } finally {
      clearTimeout(timer);
      clearTimeout(sendTimer);
      this.#acknowledged.delete(id);
    }
  }

  /** Shows that somebody writes, or no longer. */
  async typing({ chat, on }) {
    await this.#socket()?.sendPresenceUpdate(on ? 'composing' : 'paused', chatOf(chat)).catch(() => {});
  }
}

function content(text, file) {
  if (!file) {
    // Without a preview, for which Baileys would fetch what an answer links to.
    return { text, linkPreview: null };
  }
  const wanted = KINDS[file.kind] ?? 'document';
  const kind = SHOWN[wanted]?.includes(file.type.replace(/;.*/, '').trim().toLowerCase()) ? wanted : 'document';
  const common = { [kind]: { url: file.path }, mimetype: file.type };
  if (kind === 'audio') {
    return { ...common, ptt: file.kind === 'voice' };
  }
  return { ...common, ...(text && { caption: text }), ...(kind === 'document' && { fileName: file.name ?? 'file' }) };
}
