package dev.parley.application.lane;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.application.lane.FollowUps.Merging;
import dev.parley.domain.source.ChatType;
import dev.parley.domain.source.Platform;
import dev.parley.domain.source.SessionSource;
import dev.parley.domain.turn.Attachment;
import dev.parley.domain.turn.Inbound;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FollowUpsTest {
    private static final SessionSource BOB =
            SessionSource.builder(Platform.TELEGRAM, "1").userId("2").build();
    private static final Function<SessionSource, Optional<String>> WRITER = SessionSource::userId;
    private static final Merging CLOSE = new Merging(
            Optional.of(Duration.ofSeconds(10)),
            Duration.ofSeconds(25),
            message -> message.text().startsWith("cut") ? Optional.of(Duration.ofSeconds(30)) : Optional.empty());

    private final List<Inbound> queue = new ArrayList<>();

    private FollowUpsTest said(Inbound.Kind kind, SessionSource source, String text, int second, String... captions) {
        Instant at = Given.NOW.plusSeconds(second);
        queue.add(Given.moment(at)
                .inbound(
                        new Waiting(List.of(), queue.size()),
                        kind,
                        Inbound.State.ADMITTED,
                        source,
                        text,
                        List.of(captions).stream()
                                .map(file -> new Attachment(Attachment.PHOTO, file, Optional.empty(), Optional.empty()))
                                .toList(),
                        Optional.empty()));
        return this;
    }

    private FollowUpsTest alice(String text, int second) {
        return said(Inbound.Kind.MESSAGE, Given.ALICE, text, second);
    }

    private FollowUpsTest bob(String text, int second) {
        return said(Inbound.Kind.MESSAGE, BOB, text, second);
    }

    private List<String> items(Merging merging) {
        return FollowUps.items(queue, merging, WRITER).stream()
                .map(FollowUps.Item::text)
                .toList();
    }

    @Test
    void neighboursByTheSameWriterAreOneItemAndNothingIsMergedAcrossAnotherWriter() {
        alice("a", 0).alice("b", 1).bob("c", 2).alice("d", 3).alice("e", 4);
        assertThat(items(Merging.ALL)).containsExactly("a\nb", "c", "d\ne");
    }

    @Test
    void whatIsRunAgainMergesWithNothingAndRunsBeforeWhatWasSaidSince() {
        alice("since", 0).said(Inbound.Kind.RETRIED, Given.ALICE, "second", 1);
        said(Inbound.Kind.RETRIED, Given.ALICE, "first", 2).alice("then", 3);
        assertThat(items(Merging.ALL)).containsExactly("first", "second", "since\nthen");
    }

    @Test
    void sendersWithoutAnIdAreOneInADirectChatOnly() {
        SessionSource somebody = SessionSource.builder(Platform.TELEGRAM, "-5")
                .chatType(ChatType.GROUP)
                .userName("Ada")
                .build();
        said(Inbound.Kind.MESSAGE, somebody, "a", 0).said(Inbound.Kind.MESSAGE, somebody, "b", 1);
        assertThat(items(Merging.ALL)).containsExactly("a", "b");

        SessionSource direct =
                SessionSource.builder(Platform.TELEGRAM, "5").userName("Ada").build();
        queue.clear();
        said(Inbound.Kind.MESSAGE, direct, "a", 0).said(Inbound.Kind.MESSAGE, direct, "b", 1);
        assertThat(items(Merging.ALL)).containsExactly("a\nb");
    }

    @Test
    void anEmptyQueueHasNoItems() {
        assertThat(items(Merging.ALL)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"10, 20, 1", "11, 20, 2", "10, 21, 2", "0, 0, 1"})
    void neighboursAreMergedUpToAPause(int second, int third, int items) {
        alice("a", 0).alice("b", second).alice("c", third);
        assertThat(items(CLOSE)).hasSize(items);
    }

    @Test
    void aRowOfNeighboursIsMergedUpToALengthFromItsFirst() {
        alice("a", 0).alice("b", 10).alice("c", 20).alice("d", 25).alice("e", 26);
        assertThat(items(CLOSE)).containsExactly("a\nb\nc\nd", "e");
    }

    @Test
    void theRestOfWhatAPlatformCutUpBelongsToItHoweverShortThePauseOfOthersIs() {
        alice("cut a", 0).alice("b", 30).alice("c", 50);
        assertThat(items(CLOSE)).containsExactly("cut a\nb", "c");
    }

    @Test
    void aTurnThatResumesComesFirstThenCommandsThenMessagesThenWhatWasQueuedEachByItself() {
        said(Inbound.Kind.QUEUED, Given.ALICE, "q1", 0)
                .said(Inbound.Kind.QUEUED, Given.ALICE, "q2", 0)
                .alice("a", 0)
                .said(Inbound.Kind.COMMAND, Given.ALICE, "/new", 0)
                .said(Inbound.Kind.STEER, Given.ALICE, "b", 0)
                .said(Inbound.Kind.RESUME, Given.ALICE, "r", 0);
        assertThat(items(Merging.ALL)).containsExactly("r", "/new", "a\nb", "q1", "q2");
        assertThat(FollowUps.items(queue, Merging.ALL, WRITER).stream().map(FollowUps.Item::kind))
                .containsExactly(
                        Inbound.Kind.RESUME,
                        Inbound.Kind.COMMAND,
                        Inbound.Kind.MESSAGE,
                        Inbound.Kind.QUEUED,
                        Inbound.Kind.QUEUED);
    }

    @Test
    void anItemIsAnsweredUnderItsLastMessage() {
        alice("a", 0).alice("b", 1);
        assertThat(FollowUps.items(queue, Merging.ALL, WRITER).get(0).last().text())
                .isEqualTo("b");
    }

    @Test
    void captionsAreParagraphsOfWhichNoneIsRepeatedAndEveryFileIsKept() {
        said(Inbound.Kind.MESSAGE, Given.ALICE, "our trip", 0, "1.jpg")
                .said(Inbound.Kind.MESSAGE, Given.ALICE, " our trip ", 0, "2.jpg")
                .said(Inbound.Kind.MESSAGE, Given.ALICE, "", 0, "3.jpg")
                .alice("look", 1);
        FollowUps.Item item = FollowUps.items(queue, Merging.ALL, WRITER).get(0);
        assertThat(item.text()).isEqualTo("our trip\n\nlook");
        assertThat(item.attachments()).extracting(Attachment::location).containsExactly("1.jpg", "2.jpg", "3.jpg");
    }

    @Test
    void aFileWithoutWordsBehindWordsAddsNoLine() {
        said(Inbound.Kind.MESSAGE, Given.ALICE, " ", 0, "1.jpg").alice("look", 1);
        assertThat(items(Merging.ALL)).containsExactly("look");
    }

    @Test
    void anEmptyTextAddsNoLine() {
        alice("", 0).alice("a", 0).alice("", 0);
        assertThat(items(Merging.ALL)).containsExactly("a");
    }
}
