package dev.parley.application.recovery;

import dev.parley.application.port.Meta;
import dev.parley.application.settings.Delivery;
import dev.parley.domain.change.Change;
import dev.parley.domain.context.HomeChannel;
import dev.parley.domain.source.Platform;
import dev.parley.domain.source.SessionSource;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A restart that was asked for and is not over, stored so that the next start can say that it is (P7.48).
 *
 * @param chat where it was asked for with {@code /restart}; absent where a chat had no part in it
 */
public record RestartRequest(Optional<HomeChannel> chat) {
    private static final String PENDING = "gateway.restart_requester";
    private static final String ANSWERED = "gateway.restart_answered";
    private static final String NOBODY = "-";

    /** How long after a restart the command that asked for it may come in again without an id. */
    private static final Duration REPEATED = Duration.ofSeconds(60);

    /** A restart that nobody asked for in a chat. */
    public static RestartRequest planned() {
        return new RestartRequest(Optional.empty());
    }

    /** Returns the operator's chats that are told of stops and starts. */
    public static List<HomeChannel> channels(Delivery settings) {
        return settings.homeChannels().stream()
                .filter(h -> !settings.muted().contains(h.platform()))
                .toList();
    }

    /** A restart that a person asked for in their chat. */
    public static RestartRequest by(SessionSource source) {
        return new RestartRequest(
                Optional.of(new HomeChannel(source.platform(), source.chatId(), Optional.empty(), source.threadId())));
    }

    /** Returns the restart that is not over; absent if none is under way. */
    public static Optional<RestartRequest> pending(Meta meta) {
        return meta.get(PENDING).filter(text -> !text.isBlank()).map(RestartRequest::parse);
    }

    /** Returns whether this chat asked for the restart that the gateway has just come back from, and was not ignored yet. */
    public static boolean isRepeated(RestartRequest request, Meta meta, Instant now) {
        String[] parts = meta.get(ANSWERED).orElse("").split("\n", 2);
        if (parts.length < 2 || !parts[1].equals(request.text())) {
            return false;
        }
        try {
            return Duration.between(Instant.parse(parts[0]), now).compareTo(REPEATED) < 0;
        } catch (DateTimeException e) {
            return false;
        }
    }

    /** Returns the change that notes it. */
    public Change put() {
        return new Change.PutMeta(PENDING, text());
    }

    /** The gateway has come back from the restart. */
    public static List<Change> answered(RestartRequest request, Instant now) {
        return List.of(new Change.PutMeta(PENDING, ""), new Change.PutMeta(ANSWERED, now + "\n" + request.text()));
    }

    /** The repetition of a restart was ignored once. */
    public static Change forgotten() {
        return new Change.PutMeta(ANSWERED, "");
    }

    private String text() {
        return chat.map(c -> c.platform().name() + "\n" + c.chatId()
                        + c.threadId().map(t -> "\n" + t).orElse(""))
                .orElse(NOBODY);
    }

    private static RestartRequest parse(String text) {
        String[] parts = text.split("\n", 3);
        if (parts.length < 2) {
            return planned();
        }
        Optional<String> thread = parts.length > 2 ? Optional.of(parts[2]) : Optional.empty();
        return new RestartRequest(
                Optional.of(new HomeChannel(Platform.of(parts[0]), parts[1], Optional.empty(), thread)));
    }
}
