package dev.parley.domain.key;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WhatsAppIdentityTest {
    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                "-,                             ''",
                "'',                            ''",
                "'  ',                          ''",
                "60123456789:47@s.whatsapp.net, 60123456789",
                "60123456789@s.whatsapp.net,    60123456789",
                "+60123456789,                  60123456789",
                "' +60123456789 ',              60123456789",
                "12+34@lid,                     1234",
                "+1+2@lid,                      1+2",
                "@lid,                          ''",
                "12345-6789@g.us,               12345-6789",
                "1@a:2,                         1",
            })
    @DisplayName("K5.16 blanks, the first plus, the device and the domain go")
    void theNormalForm(@Nullable String identifier, String normal) {
        assertThat(WhatsAppIdentity.normalise(identifier)).isEqualTo(normal);
    }

    @Test
    @DisplayName("K5.18 both forms of a mapped identifier have the same canonical form, the shortest")
    void bothFormsHaveTheSameCanonicalForm() {
        AliasLookup aliases = mapping("999999999999999", "15551234567@s.whatsapp.net");

        assertThat(WhatsAppIdentity.canonical("999999999999999@lid", aliases)).isEqualTo("15551234567");
        assertThat(WhatsAppIdentity.canonical("+15551234567:3@s.whatsapp.net", aliases))
                .isEqualTo("15551234567");
    }

    @Test
    @DisplayName("K5.18 among equally short aliases the first in order is chosen")
    void amongEquallyShortAliasesTheFirstIsChosen() {
        assertThat(WhatsAppIdentity.canonical("333", mapping("333", "222", "222", "444")))
                .isEqualTo("222");
    }

    @Test
    @DisplayName("K5.17 aliases are followed transitively, also in circles")
    void aliasesAreFollowedTransitively() {
        AliasLookup circle = mapping("55555", "4444", "4444", "333@lid", "333", "55555");

        assertThat(List.of("55555", "4444", "333"))
                .allSatisfy(
                        id -> assertThat(WhatsAppIdentity.canonical(id, circle)).isEqualTo("333"));
    }

    @Test
    @DisplayName("K5.17 an alias with other characters is neither followed nor chosen")
    void anAliasWithOtherCharactersIsNotFollowed() {
        List<String> asked = new ArrayList<>();
        AliasLookup aliases = id -> {
            asked.add(id);
            return id.equals("55555") ? Set.of("a/b", "x y", "", "../1") : Set.of();
        };

        assertThat(WhatsAppIdentity.canonical("55555", aliases)).isEqualTo("55555");
        assertThat(asked).containsExactly("55555");
    }

    @ParameterizedTest
    @CsvSource({"'a b@lid',a b", "a/b,a/b", "ümit,ümit", "😀,😀"})
    @DisplayName("D13 an identifier with other characters is its own canonical form")
    void anIdentifierWithOtherCharactersIsItsOwnCanonicalForm(String identifier, String canonical) {
        assertThat(WhatsAppIdentity.canonical(identifier, mapping("a", "b"))).isEqualTo(canonical);
    }

    @Test
    @DisplayName("K5.18 without aliases the canonical form is the normal one, empty for nothing")
    void withoutAliasesTheCanonicalFormIsTheNormalOne() {
        assertThat(WhatsAppIdentity.canonical("+60:1@lid", AliasLookup.NONE)).isEqualTo("60");
        assertThat(WhatsAppIdentity.canonical(null, AliasLookup.NONE)).isEmpty();
        assertThat(WhatsAppIdentity.canonical("@lid", AliasLookup.NONE)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(longs = {61, 62, 63})
    @DisplayName("K5.17, K5.18 identifiers that are connected have one canonical form, others do not share it")
    void connectedIdentifiersHaveOneCanonicalForm(long seed) {
        Random random = new Random(seed);
        for (int round = 0; round < 50; round++) {
            int[] group = new int[20];
            Map<String, Set<String>> edges = new HashMap<>();
            for (int i = 0; i < group.length; i++) {
                group[i] = i;
            }
            for (int edge = 0; edge < 12; edge++) {
                int left = random.nextInt(group.length);
                int right = random.nextInt(group.length);
                edges.computeIfAbsent("u" + left, id -> new TreeSet<>()).add("+u" + right + ":1@lid");
                edges.computeIfAbsent("u" + right, id -> new TreeSet<>()).add("u" + left);
                int from = group[left];
                int to = group[right];
                for (int i = 0; i < group.length; i++) {
                    group[i] = group[i] == from ? to : group[i];
                }
            }
            AliasLookup aliases = id -> edges.getOrDefault(id, Set.of());
            for (int i = 0; i < group.length; i++) {
                for (int j = 0; j < group.length; j++) {
                    boolean same = WhatsAppIdentity.canonical("u" + i, aliases)
                            .equals(WhatsAppIdentity.canonical("u" + j, aliases));
                    assertThat(same).as("u%d and u%d", i, j).isEqualTo(group[i] == group[j]);
                }
            }
        }
    }

    private static AliasLookup mapping(String... pairs) {
        Map<String, Set<String>> edges = new HashMap<>();
        for (int i = 0; i < pairs.length; i += 2) {
            String left = WhatsAppIdentity.normalise(pairs[i]);
            String right = WhatsAppIdentity.normalise(pairs[i + 1]);
            edges.computeIfAbsent(left, id -> new TreeSet<>()).add(pairs[i + 1]);
            edges.computeIfAbsent(right, id -> new TreeSet<>()).add(pairs[i]);
        }
        return id -> edges.getOrDefault(id, Set.of());
    }
}
