package dev.parley.adapter.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.application.port.GatewayInspection;
import dev.parley.application.port.InvalidRequest;
import dev.parley.application.replay.SwitchableStorage;
import dev.parley.application.spi.WebPieces;
import dev.parley.application.spi.WebResponse;
import dev.parley.application.spi.WebRole;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.Session;
import dev.parley.domain.source.Platform;
import dev.parley.domain.source.SessionSource;
import dev.parley.domain.transcript.StoredMessage;
import dev.parley.testing.TestGateway;
import dev.parley.testing.memory.MemoryStorage;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files that an operator saves from the console. */
class ExportTest {
    private final SwitchableStorage storage = new SwitchableStorage(new MemoryStorage());
    private final TestGateway gateway = TestGateway.builder()
            .storage(storage)
            .answering(text -> "You said " + text)
            .start();
    private final Visit visit = new Visit(gateway);

    @AfterEach
    void close() {
        storage.become(SwitchableStorage.State.AVAILABLE);
        gateway.close();
    }

    private String session() {
        return gateway.storage()
                .lanes()
                .find(gateway.lane(TestGateway.ALICE))
                .orElseThrow()
                .entry()
                .sessionId()
                .value();
    }

    private String transcript() {
        return "/session.md?id=" + session();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 50, 51, 101})
    void aConversationOfAnyLengthIsSavedWholeAndInOrder(int turns) {
        for (int i = 0; i < turns; i++) {
            gateway.ask("number " + i + ".");
        }

        List<String> pieces = visit.saved(transcript());

        Matcher said = Pattern.compile("You said number (\\d+)\\.").matcher(String.join("", pieces));
        for (int i = 0; i < turns; i++) {
            assertThat(said.find()).isTrue();
            assertThat(said.group(1)).isEqualTo(String.valueOf(i));
        }
        assertThat(said.find()).isFalse();
        assertThat(pieces).as("pieces of at most a hundred messages").hasSize((2 * turns + 99) / 100);
    }

    @Test
    void whatIsSaidWhileAConversationIsSavedIsNotInItsFile() {
        for (int i = 0; i < 60; i++) {
            gateway.ask("number " + i + ".");
        }
        WebPieces source = pieces(transcript());
        StringBuilder text = new StringBuilder(source.next().orElseThrow());
        gateway.ask("afterwards");

        source.next().ifPresent(text::append);

        assertThat(source.next()).isEmpty();
        assertThat(text).contains("number 59.").doesNotContain("afterwards");
    }

    @Test
    void aConversationThatIsTakenBackWhileItIsSavedIsNoFile() {
        for (int i = 0; i < 60; i++) {
            gateway.ask("number " + i + ".");
        }
        WebPieces source = pieces(transcript());
        assertThat(source.next()).isPresent();
        for (int i = 0; i < 52; i++) {
            gateway.ask("/undo");
        }

        assertThatThrownBy(source::next)
                .isInstanceOf(InvalidRequest.class)
                .hasMessageContaining("changed while it was being saved");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<script>alert(1)</script>",
                "```\n<img src=x onerror=alert(1)>",
                "````text\n[look](javascript:alert(1))",
                "~~~\n![x](http://there/x.png)",
                "`````",
                "\n\n# A heading\n\n> a quote"
            })
    void whatPeopleWroteStandsInAFenceThatItCannotClose(String text) {
        gateway.ask(text);

        String saved = String.join("", visit.saved(transcript()));

        assertThat(saved).contains(text.strip());
        assertThat(outsideOfFences(saved))
                .allMatch(line -> line.isEmpty()
                        || line.matches("# Session|## (user|assistant), [0-9: -]+|- [A-Za-z ]+: `+ .* `+"));
    }

    private static List<String> outsideOfFences(String markdown) {
        List<String> outside = new java.util.ArrayList<>();
        String fence = "";
        for (String line : markdown.split("\n", -1)) {
            Matcher begins = Pattern.compile("(`{3,})text").matcher(line);
            if (fence.isEmpty() && begins.matches()) {
                fence = begins.group(1);
            } else if (!fence.isEmpty() && line.equals(fence)) {
                fence = "";
            } else if (fence.isEmpty()) {
                outside.add(line);
            }
        }
        assertThat(fence).as("a fence that is open at the end").isEmpty();
        return outside;
    }

    @Test
    void theListOfSessionsIsSavedWholeWithTheFiltersOfItsPage() {
        for (int i = 0; i < 205; i++) {
            gateway.ask(
                    SessionSource.builder(Platform.TELEGRAM, "c" + i)
                            .userId("u" + i)
                            .build(),
                    "hello");
        }
        gateway.ask("hello");
        gateway.ask("/title invoices; \"open\"");

        List<String> all = visit.saved("/sessions.csv");
        String some = String.join("", visit.saved("/sessions.csv?q=invoices"));

        assertThat(all).as("pieces of at most two hundred sessions").hasSize(2);
        assertThat(String.join("", all).lines()).hasSize(1 + 206);
        assertThat(some.lines()).hasSize(2).first().asString().startsWith("session,title,source,lane,model,messages");
        assertThat(some)
                .contains(session() + ",\"invoices; \"\"open\"\"\",telegram,"
                        + gateway.lane(TestGateway.ALICE).value());
        Document page = visit.page("/sessions?q=invoices&order=start");
        assertThat(page.select(".saves a").eachAttr("href"))
                .containsExactly("/console/sessions.csv?order=start&q=invoices");
    }

    @Test
    void theNumbersOfTheUsageAreSavedAsTheyStandInItsTable() {
        gateway.ask("hello");

        WebResponse.Whole saved = visit.get("/usage.csv?days=7&by=platform", WebRole.READER);

        assertThat(saved.headers())
                .containsEntry("Content-Disposition", "attachment; filename=\"usage-by-platform-7-days.csv\"");
        assertThat(saved.body().lines()).hasSize(2).first().asString().startsWith("platform,turns,input_tokens");
        assertThat(saved.body()).contains("telegram,1,");
        assertThat(visit.page("/usage?days=7&by=platform").select(".saves a").eachAttr("href"))
                .containsExactly("/console/usage.csv?days=7&by=platform");
    }

    @Test
    void filesWithWhatPeopleWroteAreForOperatorsAndReadersAreOfferedNone() {
        gateway.ask("hello");
        for (Route file : Route.values()) {
            if (file.kind() == Route.Kind.FILE) {
                boolean numbers = file == Route.USAGE_CSV || file == Route.WHAT_IF_CSV;
                assertThat(visit.needed("GET", file.place()))
                        .as(file.place())
                        .isEqualTo(numbers ? WebRole.READER : WebRole.OPERATOR);
            }
        }

        for (String page : List.of(
                "/sessions",
                "/session?id=" + session(),
                "/lane?key=" + gateway.lane(TestGateway.ALICE).value())) {
            assertThat(visit.get(page, WebRole.READER).body()).as(page).doesNotContain("Save as");
        }
        assertThat(visit.page("/session?id=" + session()).select(".saves a").eachAttr("href"))
                .containsExactly("/console/session.md?id=" + session());
    }

    @Test
    void everyFileIsAnAttachmentAndALineOfTheAudit() {
        gateway.ask("hello");

        for (String address : List.of(transcript(), "/sessions.csv")) {
            WebResponse answer = visit.save(address, WebRole.OPERATOR, Map.of("sec-fetch-site", "same-origin"));
            assertThat(answer.status()).as(address).isEqualTo(200);
            assertThat(answer.headers().get("Content-Disposition")).as(address).startsWith("attachment; filename=\"");
            assertThat(answer.headers()).as(address).containsEntry("X-Content-Type-Options", "nosniff");
        }

        assertThat(visit.acts()).containsExactly("operator export transcript begun", "operator export sessions begun");
    }

    @ParameterizedTest
    @ValueSource(strings = {"cross-site", "same-site"})
    void aPageOfAnotherOriginCannotHaveAFileSaved(String site) {
        gateway.ask("hello");

        WebResponse answer = visit.save(transcript(), WebRole.OPERATOR, Map.of("sec-fetch-site", site));

        assertThat(answer.status()).isEqualTo(403);
        assertThat(visit.acts()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/session.md",
                "/session.md?id=",
                "/session.md?id=nobody",
                "/session.md?id=%00",
                "/session.jsonl?id=nobody",
                "/lane.jsonl",
                "/lane.jsonl?key=nothing",
                "/lane.jsonl?key=agent:main:telegram:dm:1"
            })
    void whatIsNotThereIsSaidInOneLine(String address) {
        WebResponse answer = visit.save(address, WebRole.OPERATOR, Map.of());

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.headers()).doesNotContainKey("Content-Disposition");
    }

    @ParameterizedTest
    @ValueSource(strings = {"UNAVAILABLE", "CORRUPT"})
    void whatCannotBeReadIsNoEmptyFile(SwitchableStorage.State state) {
        gateway.ask("hello");
        String transcript = transcript();
        storage.become(state);

        for (String address : List.of(transcript, "/sessions.csv", "/usage.csv")) {
            WebResponse answer = visit.save(address, WebRole.OPERATOR, Map.of());
            assertThat(answer.status()).as(address).isEqualTo(503);
            assertThat(answer.headers()).as(address).doesNotContainKey("Content-Disposition");
        }
        assertThat(visit.acts()).contains("operator export sessions unavailable");
    }

    @Test
    void aStoreThatFailsInTheMiddleBreaksTheFileOff() {
        for (int i = 0; i < 60; i++) {
            gateway.ask("number " + i + ".");
        }
        WebPieces source = pieces(transcript());
        assertThat(source.next()).isPresent();
        storage.become(SwitchableStorage.State.UNAVAILABLE);

        assertThatThrownBy(source::next).hasMessageContaining("cannot be used now");
    }

    private WebPieces pieces(String address) {
        return ((WebResponse.Pieces) visit.save(address, WebRole.OPERATOR, Map.of())).source();
    }

    /** A look into the gateway, which finds these to be left out of every scenario. */
    private GatewayInspection leavingOut(List<String> sentences) {
        GatewayInspection.Exports exports = new GatewayInspection.Exports() {
            @Override
            public String session(Session session) {
                return "{}";
            }

            @Override
            public String message(StoredMessage message) {
                return "{}";
            }

            @Override
            public List<String> scenario(
                    GatewayInspection inspection, SessionKey lane, boolean texts, Consumer<String> lines) {
                lines.accept("{}");
                return sentences;
            }
        };
        return (GatewayInspection) Proxy.newProxyInstance(
                GatewayInspection.class.getClassLoader(),
                new Class<?>[] {GatewayInspection.class},
                (proxy, method, arguments) -> {
                    try {
                        return method.getName().equals("exports")
                                ? Optional.of(exports)
                                : method.invoke(gateway.gateway(), arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    @Test
    void theLaneAndItsSessionLeadToWhatAScenarioCannotHold() {
        gateway.ask("hello");
        Visit seeing =
                new Visit(gateway, leavingOut(List.of("The model was changed to <b>gpt</b>.", "A hook answered.")));

        for (String page :
                List.of("/lane?key=" + gateway.lane(TestGateway.ALICE).value(), "/session?id=" + session())) {
            Element link = seeing.page(page).select(".saves a:not([download])").first();
            assertThat(link.text()).isEqualTo("what a scenario cannot hold");
            Document told = seeing.page(link.attr("href").substring("/console".length()));
            assertThat(told.select("td").eachText())
                    .containsExactly("The model was changed to <b>gpt</b>.", "A hook answered.");
        }
    }

    @Test
    void aScenarioThatHoldsAllSaysSoAndAReaderIsNotTold() {
        gateway.ask("hello");
        Visit seeing = new Visit(gateway, leavingOut(List.of()));
        String page = "/lane?of=left-out&key=" + gateway.lane(TestGateway.ALICE).value();

        assertThat(seeing.page(page).select(".empty").text()).contains("Nothing was found");
        assertThat(seeing.get(page, WebRole.READER).body()).doesNotContain("cannot hold");
    }
}
