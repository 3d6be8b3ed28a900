package dev.parley.adapter.matrix;

import dev.parley.application.port.ChatPlatform;
import dev.parley.contracts.port.ChatPlatformContract;
import dev.parley.fakes.gateway.FakeGateway;
import dev.parley.fakes.matrix.FakeMatrix;
import dev.parley.fakes.matrix.Shown;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.io.TempDir;

/** The Matrix bot keeps the contract of platforms: what is received is what a later sync goes on from behind. */
class MatrixContractTest implements ChatPlatformContract {
    @TempDir
    private Path home;

    @Override
    public PlatformUnderTest platform() {
        return new OverMatrix();
    }

    private final class OverMatrix implements PlatformUnderTest {
        private final FakeGateway around = MatrixTesting.gateway();
        private final FakeMatrix matrix = new FakeMatrix("parley.test", () -> FakeGateway.NOW);
        private final String bot = matrix.bot("parley", MatrixTesting.TOKEN);
        private final String ada = matrix.person("ada");
        private final String room = matrix.directChat(ada, bot);
        private final ChatPlatform platform = new MatrixProvider()
                .create(around.settings(
                        home, Map.of("homeserver", matrix.address().toString(), "allow", "*")));

        OverMatrix() {
            matrix.join(room, bot);
        }

        @Override
        public ChatPlatform platform() {
            return platform;
        }

        @Override
        public String chat() {
            return room;
        }

        @Override
        public CompletionStage<Boolean> write(String text, String messageId) {
            synchronized (matrix) {
                matrix.write(room, ada, text);
                return matrix.lastRead();
            }
        }

        @Override
        public List<String> shown() {
            return matrix.shown(room, bot).stream().map(Shown::text).toList();
        }

        @Override
        public List<String> files() {
            return matrix.shown(room, bot).stream()
                    .filter(shown -> shown.content().has("url"))
                    .map(shown -> shown.content().path("filename").asText())
                    .toList();
        }

        @Override
        public boolean disconnect() {
            matrix.stop();
            return true;
        }

        @Override
        public void close() {
            platform.stop();
            matrix.close();
            around.close();
        }
    }
}
