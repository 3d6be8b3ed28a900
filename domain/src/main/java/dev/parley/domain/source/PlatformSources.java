package dev.parley.domain.source;

import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * How an adapter starts a source from what its platform sent: ids of any type, chat ids in their stable form, tidy topics
 * (S1.14, S1.15). Immutable; as safe for several threads as the given transform.
 */
public final class PlatformSources {
    private final Platform platform;
    private final UnaryOperator<String> chatIdKey;

    private PlatformSources(Platform platform, UnaryOperator<String> chatIdKey) {
        this.platform = platform;
        this.chatIdKey = chatIdKey;
    }

    /** Sources of a platform whose chat ids are stable as they come. */
    public static PlatformSources of(Platform platform) {
        return new PlatformSources(platform, UnaryOperator.identity());
    }

    /**
     * Sources of a platform whose chat ids need a transform before they are used as a key (S1.15), e.g. numeric text in
     * canonical form. It is not called for a message without a chat.
     */
    public static PlatformSources of(Platform platform, UnaryOperator<String> chatIdKey) {
        return new PlatformSources(platform, chatIdKey);
    }

    /** A builder for a message in that chat; see {@link #id} for what a raw id may be. */
    public SessionSource.Builder inChat(@Nullable Object rawChatId) {
        return SessionSource.builder(platform, id(rawChatId).map(chatIdKey).orElse(""));
    }

    /** A raw id as text; empty for null, empty text, zero and false, which platforms send for "none" (S1.14). */
    public static Optional<String> id(@Nullable Object raw) {
        if (raw == null || raw.equals(false)) {
            return Optional.empty();
        }
        if (raw instanceof Number number && number.doubleValue() == 0) {
            return Optional.empty();
        }
        return Optional.of(raw.toString()).filter(text -> !text.isEmpty());
    }

    /** A raw topic without blanks around it; empty if nothing is left (S1.14). */
    public static Optional<String> topic(@Nullable String raw) {
        return Optional.ofNullable(raw).map(String::strip).filter(text -> !text.isEmpty());
    }
}
