package dev.parley.adapter.kit.access;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.adapter.kit.access.Gate.Facts;
import dev.parley.adapter.kit.access.Gate.Verdict;
import dev.parley.adapter.kit.access.GateRules.Bots;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class GateTest {
    private static final GateRules STRICT = new GateRules(
            true,
            Set.of("free"),
            Set.of(),
            Set.of("noisy"),
            Set.of(),
            Set.of("off-topic"),
            List.of(Pattern.compile("\\bparley\\b", Pattern.CASE_INSENSITIVE)),
            Bots.MENTIONS,
            true,
            true);

    @Test
    void ownMessagesAreNeverListenedTo() {
        assertThat(decide(new Facts("c", Optional.empty(), true, true, false, true, false, true, "x")))
                .isEqualTo(Verdict.DROP);
    }

    @Test
    void aDirectMessageNeedsNoMention() {
        assertThat(decide(said("c", true, false, "hello"))).isEqualTo(Verdict.PASS);
    }

    @Test
    void aGroupsMessageNeedsAMentionAndIsOverheardWithoutOne() {
        assertThat(decide(said("c", false, false, "hello"))).isEqualTo(Verdict.OVERHEARD);
        assertThat(decide(said("c", false, true, "hello"))).isEqualTo(Verdict.PASS);
        assertThat(decide(said("c", false, false, "ask Parley"))).isEqualTo(Verdict.PASS);
        assertThat(decide(said("free", false, false, "hello"))).isEqualTo(Verdict.PASS);
    }

    @Test
    void anIgnoredGroupOrTopicIsNotListenedToWhateverIsSaid() {
        assertThat(decide(said("noisy", false, true, "hello"))).isEqualTo(Verdict.DROP);
        assertThat(decide(new Facts("c", Optional.of("off-topic"), false, false, false, true, false, true, "x")))
                .isEqualTo(Verdict.DROP);
    }

    @Test
    void otherBotsNeedAMentionWhereTheRulesSaySoInDirectChatsToo() {
        assertThat(decide(new Facts("c", Optional.empty(), true, false, true, false, false, false, "x")))
                .isEqualTo(Verdict.DROP);
        assertThat(decide(new Facts("c", Optional.empty(), true, false, true, true, false, false, "x")))
                .isEqualTo(Verdict.PASS);
    }

    @Test
    void aThreadInWhichTheAgentSpokeNeedsNoFurtherMention() {
        assertThat(decide(new Facts("c", Optional.of("t"), false, false, false, false, false, true, "x")))
                .isEqualTo(Verdict.PASS);
        assertThat(decide(new Facts("c", Optional.of("t"), false, false, false, false, false, false, "x")))
                .isEqualTo(Verdict.OVERHEARD);
    }

    @Test
    void whatNamesOnlyOtherBotsIsForThem() {
        assertThat(decide(new Facts("free", Optional.empty(), false, false, false, false, true, false, "x")))
                .isEqualTo(Verdict.OVERHEARD);
        assertThat(decide(new Facts("free", Optional.empty(), false, false, false, true, true, false, "x")))
                .isEqualTo(Verdict.PASS);
    }

    private static Verdict decide(Facts facts) {
        return new Gate(STRICT).decide(facts);
    }

    private static Facts said(String chat, boolean direct, boolean mentioned, String text) {
        return new Facts(chat, Optional.empty(), direct, false, false, mentioned, false, false, text);
    }
}
