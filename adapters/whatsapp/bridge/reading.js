// What a message says, without regard to how WhatsApp wraps it.
import { isGroup, isLid, isMe, isNumber, isOurs, plain, userOf } from './people.js';

const WRAPPERS = [
  'ephemeralMessage', 'viewOnceMessage', 'viewOnceMessageV2', 'viewOnceMessageV2Extension', 'documentWithCaptionMessage',
  'deviceSentMessage', 'editedMessage', 'groupMentionedMessage', 'lottieStickerMessage', 'associatedChildMessage',
];
const FILES = {
  imageMessage: 'photo', videoMessage: 'video', ptvMessage: 'video', audioMessage: 'audio', documentMessage: 'document',
  stickerMessage: 'sticker',
};
const REVOKE = 0;
const EDIT = 14;

/** Returns whether a message is none for the bridge at all: of no chat between people, without content, or the account's own. */
export function isIgnored(message, me, selfChat) {
  const { remoteJid, fromMe, id } = message.key ?? {};
  if (!id || !message.message || !(isGroup(remoteJid) || isLid(remoteJid) || isNumber(remoteJid))) {
    return true;
  }
  return Boolean(fromMe) && !(selfChat && isMe(remoteJid, me) && !isOurs(id));
}

/** Returns the content within all wrappers. */
export function contentOf(message) {
  for (let depth = 0; depth < 8; depth++) {
    const inner = WRAPPERS.map((name) => message?.[name]?.message).find(Boolean);
    if (!inner) {
      break;
    }
    message = inner;
  }
  return message ?? {};
}

/** Returns the text of a content; undefined where it is of a kind that says nothing. */
function textOf(c) {
  if (c.locationMessage || c.liveLocationMessage) {
    const at = c.locationMessage ?? c.liveLocationMessage;
    return ['Location:', at.name, at.address, `${at.degreesLatitude}, ${at.degreesLongitude}`].filter(Boolean).join(' ');
  }
  const contacts = c.contactsArrayMessage?.contacts ?? (c.contactMessage ? [c.contactMessage] : undefined);
  if (contacts) {
    return contacts.map((each) => `Contact: ${each.displayName ?? ''} ${phones(each.vcard)}`.trim()).join('\n');
  }
  const poll = c.pollCreationMessage ?? c.pollCreationMessageV2 ?? c.pollCreationMessageV3;
  if (poll) {
    return `Poll: ${poll.name}\n${(poll.options ?? []).map((option) => `- ${option.optionName}`).join('\n')}`;
  }
  return (
    c.conversation ?? c.extendedTextMessage?.text ?? c.buttonsResponseMessage?.selectedDisplayText ??
    c.listResponseMessage?.title ?? c.templateButtonReplyMessage?.selectedDisplayText ?? fileOf(c)?.part.caption
  );
}

const phones = (vcard) => [...String(vcard ?? '').matchAll(/^TEL[^:]*:(.+)$/gm)].map((line) => line[1].trim()).join(', ');

function fileOf(content) {
  const name = Object.keys(FILES).find((each) => content[each]);
  return name && { name, part: content[name] };
}

function contextOf(content) {
  return Object.values(content).find((part) => part?.contextInfo)?.contextInfo ?? {};
}

/**
 * Returns what is handed in of a message; undefined where it says nothing, such as a reaction.
 * `numberOf` gives the number of a LID where it is known.
 */
export function read(message, me, numberOf) {
  const { key } = message;
  const group = isGroup(key.remoteJid);
  const sender = group ? [key.participant, key.participantAlt] : [key.remoteJid, key.remoteJidAlt];
  const lid = plain(sender.find(isLid));
  const number = plain(sender.find(isNumber)) ?? (lid && numberOf(lid));
  const common = {
    id: key.id,
    chat: group ? key.remoteJid : (number ?? lid),
    direct: !group,
    user: number ? userOf(number) : lid,
    userAlt: number ? lid : undefined,
    userName: message.pushName || undefined,
    at: message.at,
  };
  const content = contentOf(message.message);
  const protocol = content.protocolMessage;
  if (protocol) {
    const changed = protocol.key?.id;
    if (protocol.type === EDIT && changed) {
      return { ...common, edited: changed, text: textOf(contentOf(protocol.editedMessage)) ?? '' };
    }
    return protocol.type === REVOKE && changed ? { ...common, deleted: changed } : undefined;
  }
  const file = fileOf(content);
  const said = textOf(content);
  if (said === undefined && !file) {
    return undefined;
  }
  const context = contextOf(content);
  const ours = Boolean(context.stanzaId) && isOurs(context.stanzaId) && isMe(context.participant, me);
  const named = (context.mentionedJid ?? []).some((jid) => isMe(jid, me));
  const quoted = contentOf(context.quotedMessage);
  return {
    ...common,
    text: withoutMe(said ?? '', me),
    mentioned: named || ours,
    reply: context.stanzaId
      ? { id: context.stanzaId, author: userOf(context.participant) || undefined, text: textOf(quoted), ours }
      : undefined,
    file: file && {
      kind: file.part.ptt ? 'voice' : FILES[file.name],
      name: file.part.fileName || undefined,
      type: file.part.mimetype?.split(';')[0] || undefined,
      bytes: Number(file.part.fileLength?.toString() ?? 0) || undefined,
    },
  };
}

/** A mention stands in the text as the number or the LID that is meant. */
function withoutMe(text, me) {
  const names = [me?.id, me?.lid].filter(Boolean).map(userOf).join('|');
  return names ? text.replace(new RegExp(`@(${names})\\b[ \\t]*`, 'g'), '').trim() : text.trim();
}
