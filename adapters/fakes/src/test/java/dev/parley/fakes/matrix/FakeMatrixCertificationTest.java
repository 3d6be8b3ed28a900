package dev.parley.fakes.matrix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.cosium.matrix_communication_client.ClientEvent;
import com.cosium.matrix_communication_client.ClientEventPage;
import com.cosium.matrix_communication_client.CreateRoomInput;
import com.cosium.matrix_communication_client.MatrixResources;
import com.cosium.matrix_communication_client.Message;
import com.cosium.matrix_communication_client.RoomResource;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A client that was made for Matrix by others finds in the fake what it expects. */
class FakeMatrixCertificationTest {
    private static final Instant NOW = Instant.parse("2026-03-10T09:00:00Z");

    private final FakeMatrix matrix = new FakeMatrix("parley.test", () -> NOW);
    private final String bot = matrix.bot("parley", "syt_certified");
    private final String ada = matrix.person("ada");

    @AfterEach
    void close() {
        matrix.close();
    }

    private MatrixResources client(String token) {
        return MatrixResources.factory()
                .builder()
                .http()
                .hostname("127.0.0.1")
                .port(matrix.address().getPort())
                .accessToken(token)
                .build();
    }

    @Test
    void anAccountLogsInWithItsPasswordAndNoOther() {
        matrix.password(bot, "right");

        assertThat(login("right").accessTokens().create()).startsWith("token");
        assertThatThrownBy(() -> login("wrong").accessTokens().create()).hasMessageContaining("403");
    }

    private MatrixResources login(String password) {
        return MatrixResources.factory()
                .builder()
                .http()
                .hostname("127.0.0.1")
                .port(matrix.address().getPort())
                .usernamePassword("parley", password)
                .build();
    }

    @Test
    void aRoomIsMadeAndMessagesAreSentAndFetched() {
        RoomResource room = client("syt_certified")
                .rooms()
                .create(CreateRoomInput.builder()
                        .name("Team")
                        .topic("Plans")
                        .preset("public_chat")
                        .build());
        matrix.join(room.id(), ada);

        ClientEvent sent = room.sendMessage(Message.builder()
                        .body("hello")
                        .formattedBody("<b>hello</b>")
                        .build())
                .fetch();

        assertThat(sent.type()).isEqualTo("m.room.message");
        assertThat(sent.sender()).isEqualTo(bot);
        assertThat(sent.roomId()).isEqualTo(room.id());
        assertThat(sent.originServerTs()).isEqualTo(NOW.toEpochMilli());
        assertThat(sent.content(Message.class).body()).isEqualTo("hello");
        assertThat(matrix.shown(room.id(), bot)).extracting(Shown::text).containsExactly("hello");
    }

    @Test
    void theHistoryOfARoomComesInPagesToItsBeginning() {
        String room = matrix.room(ada, "Team", bot);
        matrix.join(room, bot);
        for (int i = 0; i < 25; i++) {
            matrix.write(room, ada, "m" + i);
        }
        RoomResource client = client("syt_certified").rooms().byId(room);

        List<String> texts = new ArrayList<>();
        String from = null;
        do {
            ClientEventPage page = client.fetchEventPage("b", from, 10L, null);
            page.chunk().stream()
                    .filter(event -> event.type().equals("m.room.message"))
                    .forEach(event -> texts.add(event.content(Message.class).body()));
            from = page.end();
        } while (from != null);

        Collections.reverse(texts);
        assertThat(texts).hasSize(25).startsWith("m0", "m1").endsWith("m24");
    }

    @Test
    void whoIsNotInARoomAndWhoHasNoTokenAreRefused() {
        String room = matrix.room(ada, "Team");

        assertThatThrownBy(() -> client("syt_certified")
                        .rooms()
                        .byId(room)
                        .sendMessage(Message.builder().body("x").build()))
                .hasMessageContaining("403");
        assertThatThrownBy(() -> client("another").rooms().byId(room).fetchEventPage("b", null, 10L, null))
                .hasMessageContaining("401");
    }
}
