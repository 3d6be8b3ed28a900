// Ids of people and chats, and of messages that the bridge has sent.
import { createHash } from 'node:crypto';

const digest = (text) => createHash('sha256').update(text).digest('hex').toUpperCase();

/** Returns an id's part before the device and the server: 49151 of 49151:7@s.whatsapp.net. */
export const userOf = (jid) => String(jid ?? '').split('@')[0].split(':')[0];

/** Returns an id without its device. */
export const plain = (jid) => (jid ? `${userOf(jid)}@${String(jid).split('@')[1] ?? 's.whatsapp.net'}` : undefined);

export const isGroup = (jid) => String(jid).endsWith('@g.us');
export const isLid = (jid) => /@(hosted\.)?lid$/.test(String(jid));
export const isNumber = (jid) => /@(s\.whatsapp\.net|c\.us|hosted)$/.test(String(jid));

/** Returns whether an id is the account's own, by its number or by its LID. */
export const isMe = (jid, me) => Boolean(me && jid) && [me.id, me.lid].some((own) => own && plain(own) === plain(jid));

/** Returns a chat as WhatsApp names it; an operator may have written a bare number or a bare group. */
export const chatOf = (chat) =>
  chat.includes('@') ? chat : /^[0-9]+-[0-9]+$|^1203[0-9]{14,}$/.test(chat) ? `${chat}@g.us` : `${chat.replace(/^\+/, '')}@s.whatsapp.net`;

/** Returns the id under which a part of a message is sent, always the same: WhatsApp shows one id once. It ends in its own check sum. */
export function messageId(outgoing, part) {
  const body = `3EB0${digest(`${outgoing}:${part}`).slice(0, 28)}`;
  return body + digest(`parley ${body}`).slice(0, 8);
}

/** Returns whether an id is one that messageId has made. */
export const isOurs = (id) =>
  /^3EB0[0-9A-F]{36}$/.test(String(id)) && digest(`parley ${id.slice(0, 32)}`).slice(0, 8) === id.slice(32);
