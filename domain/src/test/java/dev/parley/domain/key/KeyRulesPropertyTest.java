package dev.parley.domain.key;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.domain.source.ChatType;
import dev.parley.domain.source.RandomSources;
import dev.parley.domain.source.SessionSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KeyRulesPropertyTest {
    private static final int SOURCES = 5000;

    @ParameterizedTest
    @ValueSource(longs = {21, 22, 23})
    @DisplayName("K5.1 equal sources have equal keys, and every source has one")
    void equalSourcesHaveEqualKeys(long seed) {
        Random random = new Random(seed);
        RandomSources sources = new RandomSources(random);
        for (int i = 0; i < SOURCES; i++) {
            KeyRules rules = rules(random);
            SessionSource source = sources.next();

            assertThat(rules.keyOf(source.toBuilder().build()))
                    .isEqualTo(rules.keyOf(source))
                    .isEqualTo(new KeyRules(rules.isolation(), AliasLookup.NONE).keyOf(source));
            assertThat(rules.unencodedKeyOf(source).value()).startsWith("agent:main:");
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {31, 32, 33})
    @DisplayName("K5.13 no two sources with the same segments present and different ids share a key")
    void differentIdsNeverShareAKey(long seed) {
        Random random = new Random(seed);
        RandomSources sources = new RandomSources(random);
        KeyRules rules = rules(random);
        Map<String, Segmented> seen = new HashMap<>();
        for (int i = 0; i < SOURCES; i++) {
            SessionSource source = sources.next();
            Segmented segments = Segmented.of(source, rules);
            String shapeAndKey = segments.shape() + " " + rules.keyOf(source);

            @Nullable Segmented other = seen.putIfAbsent(shapeAndKey, segments);

            assertThat(other).isIn(null, segments);
        }
        assertThat(seen).hasSizeGreaterThan(SOURCES / 4);
    }

    @ParameterizedTest
    @ValueSource(longs = {41, 42, 43})
    @DisplayName("K5.13 a key read back gives the ids that went into it")
    void aKeyReadBackGivesItsIds(long seed) {
        Random random = new Random(seed);
        RandomSources sources = new RandomSources(random);
        for (int i = 0; i < SOURCES; i++) {
            String chat = sources.id();
            String thread = sources.id();
            boolean direct = random.nextBoolean();
            SessionSource source = sources.next().toBuilder()
                    .chatId(chat)
                    .threadId(thread)
                    .chatType(direct ? ChatType.DM : ChatType.THREAD)
                    .build();

            assertThat(KeyParts.parse(rules(random).keyOf(source)))
                    .contains(new KeyParts(source.platform(), source.chatType(), chat, Optional.of(thread)));
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {51, 52, 53})
    @DisplayName("K5.13 decoding an encoded segment is the identity, and a segment holds no colon or double dot")
    void decodingAnEncodedSegmentIsTheIdentity(long seed) {
        RandomSources sources = new RandomSources(new Random(seed));
        for (int i = 0; i < SOURCES; i++) {
            String id = sources.id();

            assertThat(Segments.decode(Segments.encode(id))).isEqualTo(id);
            assertThat(Segments.encode(id)).doesNotContain(":").doesNotContain("..");
        }
    }

    private static KeyRules rules(Random random) {
        return new KeyRules(new Isolation(random.nextBoolean(), random.nextBoolean()), AliasLookup.NONE);
    }

    /** The ids that the format puts into a key, each where it belongs, written down anew from rules K5.3 to K5.8. */
    private record Segmented(
            List<String> fixed, Optional<String> chat, Optional<String> thread, Optional<String> user) {
        static Segmented of(SessionSource source, KeyRules rules) {
            List<String> fixed =
                    List.of(source.platform().name(), source.chatType().value());
            Optional<String> chat = Optional.of(source.chatId()).filter(id -> !id.isEmpty());
            Optional<String> user = source.userIdAlt().or(source::userId);
            if (source.chatType().isDm()) {
                boolean named = chat.isPresent() || user.isPresent();
                return new Segmented(
                        fixed,
                        chat,
                        named ? source.threadId() : Optional.empty(),
                        chat.isPresent() ? Optional.empty() : user);
            }
            boolean isolated = source.threadId().isPresent()
                    ? rules.isolation().threadSessionsPerUser()
                    : rules.isolation().groupSessionsPerUser();
            return new Segmented(fixed, chat, source.threadId(), isolated ? user : Optional.empty());
        }

        String shape() {
            return fixed + "/" + chat.isPresent() + "/" + thread.isPresent() + "/" + user.isPresent();
        }
    }
}
