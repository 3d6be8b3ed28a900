package dev.parley.fakes.surroundings;

import dev.parley.domain.key.SessionKey;
import dev.parley.domain.source.Platform;
import dev.parley.fakes.telegram.FakeTelegram;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Somebody in Telegram, in a private chat or in a topic of their own: Telegram keeps what they write until it is confirmed. */
final class TelegramSpeaker extends Speaker {
    /** The forum whose topics people talk in. */
    static final long FORUM = -100777;

    private final Map<Utterance, Long> written = new HashMap<>();
    private final FakeTelegram telegram;
    private final long person;
    private final Optional<Long> topic;

    TelegramSpeaker(Crowd crowd, FakeTelegram telegram, long person, boolean direct) {
        super(crowd, "t" + person, Platform.TELEGRAM, String.valueOf(direct ? person : FORUM));
        this.telegram = telegram;
        this.person = person;
        this.topic = direct ? Optional.empty() : Optional.of(person);
        telegram.privateChat(person, "Person " + person);
        topic.ifPresent(thread -> telegram.topic(FORUM, thread, "Topic " + thread));
    }

    /** Returns who it is, as the gateway allows them. */
    String person() {
        return String.valueOf(person);
    }

    @Override
    SessionKey key() {
        return SessionKey.of("agent:main:telegram:"
                + topic.map(thread -> "group:" + FORUM + ":" + thread).orElse("dm:" + person));
    }

    private long chatId() {
        return topic.isPresent() ? FORUM : person;
    }

    @Override
    String id(Utterance each) {
        return String.valueOf(written.getOrDefault(each, 0L));
    }

    /** Telegram is told no id. */
    @Override
    Set<String> ids(Utterance each) {
        return Set.of();
    }

    @Override
    boolean hand(Utterance each) {
        long message = written.computeIfAbsent(
                each,
                first -> telegram.write(
                        chatId(),
                        person,
                        each.text,
                        more -> topic.ifPresent(
                                thread -> more.put("message_thread_id", thread).put("is_topic_message", true))));
        return telegram.isConfirmed(chatId(), message) && acknowledge(each, Set.of("confirmed"));
    }
}
