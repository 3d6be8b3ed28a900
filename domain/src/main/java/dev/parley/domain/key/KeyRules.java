package dev.parley.domain.key;

import dev.parley.domain.source.Platform;
import dev.parley.domain.source.SessionSource;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * The one function from a source to its lane's key (K5.1):
 * {@code agent:main:{platform}:{chat_type}[:{chat_id}][:{thread_id}][:{participant}]}.
 *
 * <p>The same source, flags and aliases give the same key. Inside a segment {@code %} becomes {@code %25}, {@code :}
 * becomes {@code %3A} and the second of two dots becomes {@code %2E}; ids without these give the plain format. Two sources
 * with different segments present can still share a key, such as thread 5 of a shared thread and user 5 of the same chat.
 *
 * <p>Immutable; as safe for several threads as the {@link AliasLookup}.
 */
public final class KeyRules {
    private static final String MAIN = "main";

    private final Isolation isolation;
    private final AliasLookup aliases;
    private final boolean profiles;
    private final Optional<String> activeProfile;

    /** Rules without profiles: the second segment is always {@code main}. */
    public KeyRules(Isolation isolation, AliasLookup aliases) {
        this(isolation, aliases, false, Optional.empty());
    }

    private KeyRules(Isolation isolation, AliasLookup aliases, boolean profiles, Optional<String> activeProfile) {
        this.isolation = isolation;
        this.aliases = aliases;
        this.profiles = profiles;
        this.activeProfile = activeProfile;
    }

    /**
     * These rules with several profiles (K5.14): the second segment is the source's profile, else the active one, and
     * {@code main} where that is absent, blank or {@code default}.
     *
     * @throws IllegalArgumentException if the active profile is named {@code main}
     */
    public KeyRules withProfiles(Optional<String> activeProfile) {
        activeProfile.ifPresent(KeyRules::namespaceOf);
        return new KeyRules(isolation, aliases, true, activeProfile);
    }

    /** These rules with another look-up of aliases, made of the one they have. */
    public KeyRules withAliases(UnaryOperator<AliasLookup> change) {
        return new KeyRules(isolation, change.apply(aliases), profiles, activeProfile);
    }

    /** The isolation flags. */
    public Isolation isolation() {
        return isolation;
    }

    /**
     * The key of the lane that a message from this source belongs to.
     *
     * @throws IllegalArgumentException if profiles are in use and the source's is named {@code main} (K5.14)
     */
    public SessionKey keyOf(SessionSource source) {
        return key(source, Segments::encode, chatOf(source));
    }

    /**
     * The key as writers without percent-encoding make it, to recognise what they stored. Two dots are still broken up,
     * as such a key is rejected wherever it is read (E2.7).
     *
     * @throws IllegalArgumentException as {@link #keyOf}
     */
    public SessionKey unencodedKeyOf(SessionSource source) {
        return key(source, Segments::withoutDoubleDots, chatOf(source));
    }

    /**
     * All keys under which other writers may have stored this source's lane, without {@link #keyOf} itself: the unencoded
     * one and, for WhatsApp groups, the one with the raw group id (C14). Empty for most sources.
     *
     * @throws IllegalArgumentException as {@link #keyOf}
     */
    public Set<SessionKey> formerKeysOf(SessionSource source) {
        Set<SessionKey> former = new LinkedHashSet<>();
        former.add(unencodedKeyOf(source));
        if (isWhatsApp(source) && !source.chatType().isDm()) {
            former.add(key(source, Segments::withoutDoubleDots, source.chatId()));
        }
        former.remove(keyOf(source));
        return former;
    }

    /** Whether several users can be in this source's session (K5.12); whether it has an author does not matter. */
    public boolean isShared(SessionSource source) {
        return !source.chatType().isDm() && !isIsolated(source);
    }

    /**
     * Who takes the participant's place in the key: the stable alternative id, else the user id (K5.2), for WhatsApp in
     * canonical form. Empty if there is neither.
     */
    public Optional<String> participantOf(SessionSource source) {
        return Stream.of(source.userIdAlt(), source.userId())
                .flatMap(Optional::stream)
                .map(id -> isWhatsApp(source) ? WhatsAppIdentity.canonical(id, aliases) : id)
                .filter(id -> !id.isEmpty())
                .findFirst();
    }

    private boolean isIsolated(SessionSource source) {
        return source.threadId().isPresent() ? isolation.threadSessionsPerUser() : isolation.groupSessionsPerUser();
    }

    /** The chat as the key has it: for WhatsApp in canonical form (K5.15, C14); the empty string if the source has no chat. */
    public String chatOf(SessionSource source) {
        return isWhatsApp(source) ? WhatsAppIdentity.canonical(source.chatId(), aliases) : source.chatId();
    }

    private SessionKey key(SessionSource source, UnaryOperator<String> writing, String chat) {
        List<String> segments = new ArrayList<>();
        segments.add(
                profiles ? namespaceOf(source.profile().or(() -> activeProfile).orElse("")) : MAIN);
        segments.add(source.platform().name());
        segments.add(source.chatType().value());
        if (source.chatType().isDm()) {
            Optional<String> peer = chat.isEmpty() ? participantOf(source) : Optional.of(chat);
            peer.ifPresent(id -> {
                segments.add(id);
                source.threadId().ifPresent(segments::add);
            });
        } else {
            if (!chat.isEmpty()) {
                segments.add(chat);
            }
            source.threadId().ifPresent(segments::add);
            if (isIsolated(source)) {
                participantOf(source).ifPresent(segments::add);
            }
        }
        StringBuilder key = new StringBuilder("agent");
        for (String segment : segments) {
            key.append(Segments.SEPARATOR).append(writing.apply(segment));
        }
        return new SessionKey(key.toString());
    }

    private static String namespaceOf(String profile) {
        if (profile.isBlank() || profile.equals("default")) {
            return MAIN;
        }
        if (profile.equals(MAIN)) {
            throw new IllegalArgumentException(
                    "A profile cannot be named 'main': its lanes would be those of the default profile; rename it");
        }
        return profile;
    }

    private static boolean isWhatsApp(SessionSource source) {
        return source.platform().equals(Platform.WHATSAPP);
    }
}
