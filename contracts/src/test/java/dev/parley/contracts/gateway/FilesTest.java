package dev.parley.contracts.gateway;

import static dev.parley.contracts.gateway.Bench.ALICE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.application.port.AgentAnswer;
import dev.parley.application.port.AnswerListener;
import dev.parley.application.port.ChatPlatform.Traits;
import dev.parley.application.port.DeliveryFailed;
import dev.parley.application.port.Received;
import dev.parley.application.settings.Showing;
import dev.parley.domain.source.Platform;
import dev.parley.domain.transcript.Role;
import dev.parley.domain.transcript.StoredMessage;
import dev.parley.domain.turn.Attachment;
import dev.parley.domain.turn.Outgoing;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Files that an agent sends along with its answer: stored with it, handed to the platform with it, named where they cannot be shown. */
class FilesTest {
    private static final Attachment CHART =
            new Attachment(Attachment.PHOTO, "/kept/chart.png", Optional.of("chart.png"), Optional.of("image/png"));
    private static final Attachment DATA =
            new Attachment("document", "/kept/data.csv", Optional.of("data.csv"), Optional.of("text/csv"));

    private final Bench bench = new Bench();
    private final AblePlatform telegram =
            new AblePlatform(bench.telegram, bench.telegram.traits().carryingFiles());
    private final StreamingAgents agents = new StreamingAgents();

    @BeforeEach
    void anAgentThatSaysWhatItIsTold() {
        bench.dressed = unused -> telegram;
        bench.factory = agents;
        bench.with(s -> s.withShowing(Map.of(Platform.TELEGRAM, new Showing(false, Showing.Previews.NEVER, false))));
    }

    private void answer(String text, Attachment... files) {
        bench.say(ALICE, "hello");
        agents.answer(AgentAnswer.text(text).attaching(List.of(files)));
        bench.settle();
    }

    private List<Outgoing> stored() {
        List<Outgoing> stored = new ArrayList<>();
        bench.memory.queue().forEach(Instant.EPOCH, i -> {}, t -> {}, stored::add);
        return stored;
    }

    private List<String> answersInTheTranscript() {
        List<String> texts = new ArrayList<>();
        bench.memory.transcripts().forEach((StoredMessage row) -> {
            if (row.message().role().equals(Role.ASSISTANT)) {
                texts.add(row.message().content().plainText());
            }
        });
        return texts;
    }

    @Test
    void whatAnAgentAttachesIsStoredAndHandedToThePlatformWithTheAnswer() {
        bench.start();
        answer("See both.", CHART, DATA);

        assertThat(stored())
                .singleElement()
                .satisfies(one -> assertThat(one.attachments()).containsExactly(CHART, DATA))
                .satisfies(one -> assertThat(one.state()).isEqualTo(Outgoing.State.DELIVERED));
        assertThat(telegram.sent.get(0).attachments()).containsExactly(CHART, DATA);
        assertThat(telegram.texts()).containsExactly("See both.");
        assertThat(answersInTheTranscript()).containsExactly("See both.");
    }

    @Test
    void anAnswerOfFilesAloneIsAnAnswerAndTheTranscriptNamesThem() {
        bench.start();
        answer("", CHART);

        assertThat(stored())
                .singleElement()
                .satisfies(one -> assertThat(one.text()).isEmpty())
                .satisfies(one -> assertThat(one.attachments()).containsExactly(CHART));
        assertThat(answersInTheTranscript()).containsExactly("[photo: chart.png]");
    }

    @Test
    void filesThatWereStoredAreSentAfterACrash() {
        telegram.fail(new DeliveryFailed("out of order", false, null));
        bench.start();
        answer("See.", CHART);
        assertThat(telegram.sent).isEmpty();

        bench.crash();
        bench.start();
        bench.pass(Duration.ofSeconds(10));

        assertThat(telegram.sent)
                .singleElement()
                .satisfies(one -> assertThat(one.attachments()).containsExactly(CHART));
    }

    @Test
    void aPlatformThatCarriesNoFilesNamesThemInTheText() {
        AblePlatform plain = new AblePlatform(bench.telegram, new Traits(false, false, false)) {
            @Override
            int longest() {
                return 1_000;
            }
        };
        bench.dressed = unused -> plain;
        bench.start();
        answer("See both.", CHART, DATA);

        assertThat(plain.texts())
                .containsExactly("See both.\n\n[photo: chart.png]\n[document: data.csv]\nFiles cannot be shown here.");
        assertThat(stored())
                .singleElement()
                .satisfies(one ->
                        assertThat(one.attachments()).as("what is stored").containsExactly(CHART, DATA));
    }

    @Test
    void whoeverWaitsForTheAnswerIsToldItsFiles() {
        bench.start();
        List<Outgoing> told = new ArrayList<>();
        Received hello = new Received(ALICE, "hello", List.of(), Optional.of("m-1"));
        bench.say(hello, new AnswerListener() {
            @Override
            public void finished(Outgoing answer) {
                told.add(answer);
            }
        });
        agents.answer(AgentAnswer.text("See.").attaching(List.of(CHART)));
        bench.settle();

        assertThat(told)
                .singleElement()
                .satisfies(one -> assertThat(one.attachments()).containsExactly(CHART));
    }
}
