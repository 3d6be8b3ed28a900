package dev.parley.fakes.surroundings;

import dev.parley.domain.key.SessionKey;
import dev.parley.domain.source.Platform;
import dev.parley.fakes.slack.FakeSlack;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Somebody in Slack, in a direct chat or in a thread of a channel. What they write stands in Slack at once, whether the gateway listens
 * or not, so they wait for nobody: it counts as received although Slack may have given up offering it. In a channel they write on in
 * their thread once the app has said something in it. They write no faster than an app may answer: once a second in a conversation.
 */
final class SlackSpeaker extends Speaker {
    private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(4);

    private final Map<Utterance, String> written = new HashMap<>();
    private final FakeSlack slack;
    private final String person;
    private final boolean direct;
    private Optional<String> root = Optional.empty();
    private long wroteAt = System.nanoTime() - PAUSE_NANOS;

    private SlackSpeaker(Crowd crowd, FakeSlack slack, String name, String person, String chat, boolean direct) {
        super(crowd, name, Platform.SLACK, chat);
        this.slack = slack;
        this.person = person;
        this.direct = direct;
    }

    /** Somebody in a direct chat. */
    static SlackSpeaker direct(Crowd crowd, FakeSlack slack, String name) {
        String person = slack.person(name);
        return new SlackSpeaker(crowd, slack, name, person, slack.directChat(person), true);
    }

    /** Somebody with a thread of their own in a channel that others are in too. */
    static SlackSpeaker in(Crowd crowd, FakeSlack slack, String name, String channel) {
        String person = slack.person(name);
        slack.join(channel, person);
        return new SlackSpeaker(crowd, slack, name, person, channel, false);
    }

    /** Returns who it is, as the gateway allows them. */
    String person() {
        return person;
    }

    @Override
    SessionKey key() {
        return SessionKey.of(
                "agent:main:slack:" + (direct ? "dm:" : "channel:") + chat + (direct ? "" : ":" + root.orElseThrow()));
    }

    @Override
    String id(Utterance each) {
        return written.getOrDefault(each, "");
    }

    /** Slack is told no id. */
    @Override
    Set<String> ids(Utterance each) {
        return Set.of();
    }

    @Override
    boolean hand(Utterance each) {
        Optional<String> before = Optional.ofNullable(written.get(each));
        if (before.isPresent()) {
            slack.offerAgain(chat, before.get());
        } else if (System.nanoTime() - wroteAt < PAUSE_NANOS || (root.isPresent() && !isAnswered())) {
            return false;
        } else {
            wroteAt = System.nanoTime();
            written.put(each, write(each));
            acknowledge(each, Set.of("written"));
        }
        return true;
    }

    private boolean isAnswered() {
        return slack.shown(chat).stream().anyMatch(shown -> shown.thread().equals(root));
    }

    private String write(Utterance each) {
        // People type no slash commands here, and Slack escapes what they type.
        String typed = each.text.replaceFirst("^/", "!").replace("<", "&lt;").replace(">", "&gt;");
        if (direct) {
            return slack.write(chat, person, typed);
        }
        String naming = "<@" + FakeSlack.BOT_USER + "> " + typed;
        if (root.isPresent()) {
            return slack.reply(chat, person, crowd.chance().percent(50) ? naming : typed, root.get());
        }
        String ts = slack.write(chat, person, naming);
        root = Optional.of(ts);
        return ts;
    }
}
