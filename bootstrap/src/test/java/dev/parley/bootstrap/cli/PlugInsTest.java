package dev.parley.bootstrap.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.application.gateway.Gateway;
import dev.parley.application.gateway.StopMode;
import dev.parley.application.port.AnswerListener;
import dev.parley.application.port.InvalidRequest;
import dev.parley.application.port.Receipt;
import dev.parley.application.port.Received;
import dev.parley.bootstrap.cli.CommandLineProgram.Result;
import dev.parley.bootstrap.config.ConfigurationLoader;
import dev.parley.bootstrap.wiring.Closer;
import dev.parley.bootstrap.wiring.GatewayParts;
import dev.parley.bootstrap.wiring.GatewayWiring;
import dev.parley.bootstrap.wiring.Providers;
import dev.parley.domain.source.Platform;
import dev.parley.domain.source.SessionSource;
import dev.parley.domain.turn.Outgoing;
import dev.parley.domain.turn.TurnId;
import dev.parley.home.HomeDirectory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Jars in {@code plugins/} bring commands, hooks, listeners and authorizations; what is wrong with one is told before anything is opened. */
class PlugInsTest {
    @TempDir
    Path home;

    private CommandLineProgram program;

    @BeforeEach
    void program() {
        program = new CommandLineProgram(home);
    }

    private void configure(String yaml) throws Exception {
        Files.writeString(home.resolve("parley.yaml"), yaml);
    }

    private static String commands(String name, String creating) {
        return """
                public final class Commands implements CommandsProvider {
                    public String name() { return "desk"; }
                    public Set<String> settings() { return Set.of("greeting"); }
                    public List<ChatCommand> create(ProviderSettings settings) {
                        %s
                        return List.of(new ChatCommand() {
                            public String name() { return "%s"; }
                            public String usage() { return "/%s"; }
                            public String summary() { return "Greets."; }
                            public When when() { return When.ALWAYS; }
                            public CommandOutcome run(CommandContext context) {
                                return CommandOutcome.reply(settings.value("greeting").orElse("hello"));
                            }
                        });
                    }
                }
                """.formatted(creating, name, name);
    }

    private static PlugInJar greeting() {
        return new PlugInJar().with("CommandsProvider", "Commands", commands("greet", ""));
    }

    /** Returns what the home's gateway answers somebody to each of these, one after the other; why not where it does not. */
    private List<String> say(String user, String... texts) throws Exception {
        HomeDirectory directory = HomeDirectory.at(home);
        Providers providers = Providers.find(directory.plugins());
        var loaded = new ConfigurationLoader(
                        providers.platformNames(),
                        providers.platformSettings(),
                        providers.agentSettings(),
                        providers.storageOptions(),
                        providers.extensionSettings(),
                        providers.observerSettings(),
                        ZoneOffset.UTC)
                .load(Optional.of(home.resolve("parley.yaml")).filter(Files::exists), Map.of());
        List<String> answers = new ArrayList<>();
        try (Closer closer = new Closer()) {
            Gateway gateway = GatewayWiring.assemble(new GatewayParts(
                            loaded.configuration(),
                            directory,
                            home,
                            providers,
                            Map.of(),
                            InstantSource.system(),
                            false,
                            Optional.of(Map.of()),
                            closer,
                            warning -> {}))
                    .gateway();
            gateway.start().toCompletableFuture().get(30, TimeUnit.SECONDS);
            for (String text : texts) {
                answers.add(said(gateway, user, text));
            }
            gateway.stop(StopMode.SHUTDOWN).toCompletableFuture().get(30, TimeUnit.SECONDS);
        }
        return answers;
    }

    private static String said(Gateway gateway, String user, String text) throws Exception {
        CompletableFuture<String> answer = new CompletableFuture<>();
        SessionSource source =
                SessionSource.builder(Platform.LOCAL, user).userId(user).build();
        var unused = gateway.receive(new Received(source, text, List.of(), Optional.empty()), new AnswerListener() {
                    @Override
                    public void replied(Outgoing reply) {
                        answer.complete(reply.text());
                    }

                    @Override
                    public void finished(TurnId turn, String said) {
                        answer.complete(said);
                    }
                })
                .thenAccept(receipt -> {
                    if (receipt instanceof Receipt.Refused refused) {
                        answer.complete(refused.reason().name());
                    }
                });
        return answer.get(30, TimeUnit.SECONDS);
    }

    @Test
    void aCommandOfAPlugInAnswersAsItIsConfiguredAndIsInTheListOfCommands() throws Exception {
        greeting().into(home, "desk.jar");
        configure("plugins: {desk: {greeting: Ahoy}}");

        assertThat(say("ada", "/greet", "/help"))
                .startsWith("Ahoy")
                .last()
                .asString()
                .contains("/greet");
        assertThat(program.run("config", "show").out()).contains("plugins.desk.greeting", "plugins.desk.enabled");
    }

    @Test
    void aPlugInThatIsSwitchedOffBringsNothing() throws Exception {
        greeting().into(home, "desk.jar");
        configure("plugins: {desk: {enabled: false}}");

        assertThat(say("ada", "/greet")).doesNotContain("hello");
    }

    /** What it is given may be secret, and nothing keeps it from quoting that. */
    @Test
    void aPlugInThatFailsAtItsStartIsToldByTypeAndPlaceAndNotByWhatItQuotes() throws Exception {
        String quoting = "if (true) throw new IllegalStateException(settings.value(\"greeting\").orElseThrow());";
        new PlugInJar()
                .with("CommandsProvider", "Commands", commands("greet", quoting))
                .into(home, "desk.jar");
        configure("plugins: {desk: {greeting: s3cret}}");

        assertThatThrownBy(() -> say("ada", "/greet"))
                .isInstanceOf(InvalidRequest.class)
                .hasMessageContaining("The plug-in desk")
                .hasMessageContaining("failed at its start: java.lang.IllegalStateException at ")
                .hasMessageNotContaining("s3cret");
    }

    @Test
    void aSettingThatThePlugInDoesNotReadIsAnErrorWithASuggestion() throws Exception {
        greeting().into(home, "desk.jar");
        configure("plugins: {desk: {greetings: Ahoy}}");

        Result check = program.run("config", "check");
        assertThat(check.code()).isEqualTo(2);
        assertThat(check.out()).contains("plugins.desk.greetings", "did you mean \"plugins.desk.greeting\"");
    }

    @Test
    void hooksAndListenersOfAPlugInAreToldAndAnAuthorizationKeepsPeopleOut() throws Exception {
        new PlugInJar()
                .with("HooksProvider", "Hooks", """
                        public final class Hooks implements HooksProvider {
                            public String name() { return "desk"; }
                            public LifecycleHooks create(ProviderSettings settings) {
                                return new LifecycleHooks() {
                                    public void sessionStarted(SessionKey lane, SessionId session) {
                                        Notes.add(settings, "started");
                                    }
                                };
                            }
                        }
                        final class Notes {
                            static synchronized void add(ProviderSettings settings, String line) {
                                try {
                                    Files.writeString(settings.home().resolve("notes"), line + "\\n",
                                            StandardOpenOption.CREATE, StandardOpenOption.APPEND);
                                } catch (java.io.IOException e) {
                                    throw new java.io.UncheckedIOException(e);
                                }
                            }
                        }
                        """)
                .with("EventsProvider", "Events", """
                        public final class Events implements EventsProvider {
                            public String name() { return "desk"; }
                            public GatewayEvents create(ProviderSettings settings) {
                                return event -> Notes.add(settings, event.getClass().getSimpleName());
                            }
                        }
                        """)
                .with("AuthorizationProvider", "Doorman", """
                        public final class Doorman implements AuthorizationProvider {
                            public String name() { return "desk"; }
                            public Authorization create(ProviderSettings settings) {
                                return new Authorization() {
                                    public boolean mayTalk(SessionSource source) {
                                        return !source.userId().equals(Optional.of("mallory"));
                                    }
                                    public boolean isAdmin(SessionSource source) { return false; }
                                };
                            }
                        }
                        """)
                .into(home, "desk.jar");

        assertThat(say("ada", "hello")).containsExactly("hello");
        assertThat(home.resolve("notes")).content().contains("started", "Admitted", "TurnEnded");
        assertThat(say("mallory", "hello")).containsExactly("NOT_ALLOWED");
    }

    @Test
    void aPlugInThatFailsAtItsStartIsToldByTheCheckAndByTheStartBeforeAnythingIsOpened() throws Exception {
        new PlugInJar()
                .with(
                        "CommandsProvider",
                        "Commands",
                        commands("greet", "if (true) throw new NoSuchMethodError(\"gone\");"))
                .into(home, "desk.jar");

        Result check = program.run("config", "check");
        assertThat(check.code()).isEqualTo(2);
        assertThat(check.lines())
                .singleElement()
                .asString()
                .contains("error: ", "The plug-in desk", "gone", "plugins.desk.enabled");
        Result start = program.run("gateway");
        assertThat(start.code()).isEqualTo(2);
        assertThat(start.errors()).singleElement().asString().contains("The plug-in desk", "gone");
        assertThat(home.resolve("state.db")).doesNotExist();
    }

    @Test
    void aLinkThatLeadsNowhereIsAProblemSinceWhoIsKeptOutMayBeDecidedThere() throws Exception {
        Path link = Files.createDirectories(home.resolve("plugins")).resolve("gate.jar");
        Files.createSymbolicLink(link, home.resolve("moved.jar"));

        Result check = program.run("config", "check");
        assertThat(check.code()).isEqualTo(2);
        assertThat(check.lines()).singleElement().asString().contains("gate.jar", "a link that leads nowhere");
    }

    @Test
    void whatAPlugInCannotTakeOfItsSettingsIsItsOwnSentence() throws Exception {
        new PlugInJar()
                .with(
                        "CommandsProvider",
                        "Commands",
                        commands(
                                "greet",
                                "if (true) throw new InvalidRequest(settings.nameOf(\"greeting\") + \" is too short; write more.\");"))
                .into(home, "desk.jar");

        assertThat(program.run("config", "check").lines())
                .singleElement()
                .asString()
                .endsWith("plugins.desk.greeting is too short; write more.");
    }

    @Test
    void aProviderThatCannotSayItsNameIsToldWithItsJarAndKeepsNothingElseFromWorking() throws Exception {
        new PlugInJar().with("EventsProvider", "Events", """
                        public final class Events implements EventsProvider {
                            public String name() { throw new IllegalStateException("no name"); }
                            public GatewayEvents create(ProviderSettings settings) { return GatewayEvents.NONE; }
                        }
                        """).into(home, "silent.jar");

        Result check = program.run("config", "check");
        assertThat(check.code()).isEqualTo(2);
        assertThat(check.lines()).singleElement().asString().contains("EventsProvider", "silent.jar", "no name");
        configure("plugins: {on_error: warn}");
        assertThat(program.run("config", "check").code()).isZero();
        assertThat(say("ada", "hello")).containsExactly("hello");
    }

    @Test
    void aStorageWhoseLibraryIsMissingIsToldBeforeItsAddressIsCalledUnknown() throws Exception {
        new PlugInJar().with("StorageProvider", "Shelf", """
                        public final class Shelf implements StorageProvider {
                            private final Driver driver = new Driver();
                            public String scheme() { return "shelf"; }
                            public Set<String> options() { return Set.of(); }
                            public int changeVersion() { return dev.parley.domain.change.Change.VERSION; }
                            public Storage open(StorageSettings settings) { throw new IllegalStateException("" + driver); }
                        }
                        final class Driver {}
                        """).without("Driver").into(home, "shelf.jar");
        configure("storage: {url: 'shelf:books'}");

        Result check = program.run("config", "check");
        assertThat(check.code()).isEqualTo(2);
        assertThat(check.lines()).first().asString().contains("error: ", "StorageProvider", "shelf.jar", "plug/Driver");
        Result start = program.run("gateway");
        assertThat(start.code()).isEqualTo(2);
        assertThat(start.errors()).first().asString().contains("shelf.jar", "plug/Driver");
    }

    @Test
    void aCommandWithANameThatTheGatewayHasIsToldAndNeverUsed() throws Exception {
        new PlugInJar()
                .with("CommandsProvider", "Commands", commands("status", ""))
                .into(home, "desk.jar");

        Result check = program.run("config", "check");
        assertThat(check.code()).isZero();
        assertThat(check.lines()).singleElement().asString().contains("warning: ", "/status", "never used");
        assertThat(say("ada", "/status")).doesNotContain("hello");
    }

    @Test
    void twoProvidersOfOneKindAndNameAreRefused() throws Exception {
        greeting().into(home, "one.jar");
        greeting().into(home, "two.jar");

        Result check = program.run("config", "check");
        assertThat(check.code()).isEqualTo(2);
        assertThat(check.err() + check.out()).contains("two providers", "\"desk\"");
    }
}
