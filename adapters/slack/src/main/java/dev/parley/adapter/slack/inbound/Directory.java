package dev.parley.adapter.slack.inbound;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.adapter.kit.api.ApiFailure;
import dev.parley.adapter.slack.api.SlackApi;
import dev.parley.adapter.slack.api.SlackError;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What people and conversations are called. Asked for once an hour at most; a name that cannot be had is absent, and where Slack does
 * not answer none is asked for during a minute. Safe for concurrent use; blocks while it asks.
 */
final class Directory {
    private static final Duration KEPT = Duration.ofHours(1);
    private static final Duration AWAY = Duration.ofMinutes(1);
    private static final int MOST = 5_000;

    private final SlackApi api;
    private final InstantSource clock;
    private final Map<String, Entry> entries = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Entry> eldest) {
            return size() > MOST;
        }
    };
    private Instant notBefore = Instant.MIN;

    private record Entry(Optional<JsonNode> found, Instant at) {}

    Directory(SlackApi api, InstantSource clock) {
        this.api = api;
        this.clock = clock;
    }

    /** Returns what a user is called. */
    Optional<String> person(String user) {
        return entry("users.info", "user", user, "user").flatMap(found -> {
            JsonNode profile = found.path("profile");
            return text(profile, "display_name")
                    .or(() -> text(profile, "real_name"))
                    .or(() -> text(found, "real_name"))
                    .or(() -> text(found, "name"));
        });
    }

    /** Returns what a conversation is called; direct ones have no name. */
    Optional<String> channelName(String channel) {
        return channel(channel).flatMap(found -> text(found, "name"));
    }

    /** Returns a conversation's topic, or its purpose. */
    Optional<String> topic(String channel) {
        return channel(channel)
                .flatMap(found -> text(found.path("topic"), "value").or(() -> text(found.path("purpose"), "value")));
    }

    /** Returns what kind of conversation it is, in the words of Slack's events; absent where Slack does not say. */
    Optional<String> kind(String channel) {
        return channel(channel).map(Directory::kind);
    }

    /** Returns the kind of a conversation that Slack describes. */
    static String kind(JsonNode conversation) {
        if (conversation.path("is_im").asBoolean(false)) {
            return "im";
        }
        return conversation.path("is_mpim").asBoolean(false) ? "mpim" : "channel";
    }

    /** Forgets a conversation, so that it is asked for again. */
    synchronized void changed(String channel) {
        entries.remove("conversations.info " + channel);
    }

    private Optional<JsonNode> channel(String channel) {
        return entry("conversations.info", "channel", channel, "channel");
    }

    private Optional<JsonNode> entry(String method, String field, String id, String inside) {
        Instant now = clock.instant();
        String key = method + " " + id;
        synchronized (this) {
            Entry known = entries.get(key);
            if (known != null && known.at().plus(KEPT).isAfter(now)) {
                return known.found();
            }
            if (now.isBefore(notBefore)) {
                return Optional.ofNullable(known).flatMap(Entry::found);
            }
        }
        Optional<JsonNode> found;
        try {
            found = Optional.of(api.get(method, Map.of(field, id)).path(inside)).filter(JsonNode::isObject);
        } catch (SlackError e) {
            if (e.isPassing()) {
                return away(now.plus(e.retryAfter().orElse(AWAY)));
            }
            found = Optional.empty();
        } catch (ApiFailure e) {
            return away(now.plus(AWAY));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
        synchronized (this) {
            entries.put(key, new Entry(found, now));
        }
        return found;
    }

    private synchronized Optional<JsonNode> away(Instant until) {
        notBefore = until;
        return Optional.empty();
    }

    private static Optional<String> text(JsonNode node, String field) {
        return Optional.of(node.path(field).asText().strip()).filter(text -> !text.isEmpty());
    }
}
