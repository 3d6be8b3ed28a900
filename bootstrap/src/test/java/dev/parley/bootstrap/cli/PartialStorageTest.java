package dev.parley.bootstrap.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.adapter.http.GatewayClient;
import dev.parley.bootstrap.cli.CommandLineProgram.Result;
import dev.parley.home.GatewayLock;
import dev.parley.home.HomeDirectory;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands on a store that has no search and no titles, and that nobody can open beside the gateway. */
class PartialStorageTest {
    private static final String PROVIDER = """
            public final class Partial implements StorageProvider {
                private final StorageProvider sqlite = ServiceLoader.load(StorageProvider.class).stream()
                        .map(ServiceLoader.Provider::get)
                        .filter(provider -> provider.scheme().equals("sqlite"))
                        .findFirst().orElseThrow();
                public String scheme() { return "partial"; }
                public int changeVersion() { return sqlite.changeVersion(); }
                public Set<String> options() { return Set.of(); }
                public boolean readsBesideWriter() { return false; }
                public Storage open(StorageSettings settings) {
                    if (Files.exists(settings.home().resolve("taken"))) {
                        throw new StorageUnavailable("The store is open for writing.", null);
                    }
                    Storage all = sqlite.open(settings);
                    StorageParts parts = StorageParts.of(all);
                    Sessions untitled = (Sessions) java.lang.reflect.Proxy.newProxyInstance(
                            Sessions.class.getClassLoader(), new Class<?>[] {Sessions.class},
                            (proxy, method, arguments) -> method.getName().equals("keepsTitles")
                                    ? (Object) false : method.invoke(all.sessions(), arguments));
                    StorageParts fewer = new StorageParts(parts.ledger(), parts.lanes(), untitled,
                            parts.transcripts(), TranscriptSearch.none("partial:here"), parts.queue(), parts.meta(),
                            parts.maintenance());
                    return new ComposedStorage() {
                        public StorageParts parts() { return fewer; }
                        public String location() { return "partial:here"; }
                        public void close() { all.close(); }
                    };
                }
            }
            """;

    @TempDir
    Path directory;

    private HomeDirectory home;
    private CommandLineProgram program;

    @BeforeEach
    void aHomeWithOneSession() throws Exception {
        home = new HomeDirectory(directory.resolve("home"));
        home.create();
        program = new CommandLineProgram(home.path());
        new PlugInJar().with("StorageProvider", "Partial", PROVIDER).into(home.path(), "partial.jar");
        Files.writeString(home.path().resolve("parley.yaml"), "storage: {url: 'partial:state.db'}");
        Path sessions = Files.writeString(directory.resolve("sessions.jsonl"), """
                {"id":"s1","source":"cli","started_at":1741600000.0,"messages":[]}
                """);
        Result imported = program.run("sessions", "import", sessions.toString());
        assertThat(imported.code()).as(imported.errors().toString()).isZero();
    }

    @Test
    void aTitleIsRefusedInOneLine() {
        Result titled = program.run("sessions", "title", "s1", "Docker");

        assertThat(titled.code()).isEqualTo(1);
        assertThat(titled.errors()).containsExactly("parley: The store partial:here keeps no titles.");
        assertThat(program.run("sessions", "title", "s1", "").code()).isZero();
    }

    @Test
    void aSearchIsRefusedInOneLine() {
        Result found = program.run("sessions", "search", "hello");

        assertThat(found.code()).isEqualTo(2);
        assertThat(found.out()).isEmpty();
        assertThat(found.errors()).singleElement().asString().contains("partial:here offers no search");
    }

    @Test
    void theDoctorSaysWhatTheStoreDoesWithout() {
        assertThat(program.run("doctor").out())
                .contains("partial:here is whole; it offers no search and keeps no titles");
    }

    @Test
    void theDoctorFindsNothingWrongWithAStoreThatTheGatewayHas() throws Exception {
        Files.writeString(home.path().resolve("taken"), "");
        try (GatewayLock held = GatewayLock.take(home)) {
            assertThat(held).isNotNull();
            assertThat(program.run("doctor").out())
                    .contains("partial:state.db is in use by the gateway and cannot be looked into meanwhile")
                    .containsPattern("storage +note");
        }
        assertThat(program.run("doctor").out()).containsPattern("storage +wrong +The store is open for writing");
    }

    @Test
    void aGatewayThatDoesNotAnswerIsNamedBesideTheStoreThatItHas() throws Exception {
        Files.writeString(home.path().resolve("taken"), "");
        try (GatewayLock held = GatewayLock.take(home)) {
            assertThat(held).isNotNull();
            Files.writeString(GatewayClient.tokenFile(home.path()), "token");
            Files.writeString(GatewayClient.addressFile(home.path()), "http://127.0.0.1:" + portOfNobody());

            Result listed = program.run("sessions", "list");

            assertThat(listed.code()).isEqualTo(3);
            assertThat(listed.errors()).hasSize(2);
            assertThat(listed.errors().get(0)).contains("The gateway at http://127.0.0.1:", "does not answer");
            assertThat(listed.errors().get(1)).contains("The store is open for writing");
        }
    }

    private static int portOfNobody() throws IOException {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return free.getLocalPort();
        }
    }
}
