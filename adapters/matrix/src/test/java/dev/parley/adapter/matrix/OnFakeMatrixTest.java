package dev.parley.adapter.matrix;

import dev.parley.fakes.gateway.FakeGateway;
import dev.parley.fakes.matrix.FakeMatrix;
import org.junit.jupiter.api.AfterEach;

/** What the bot does on the fake. */
class OnFakeMatrixTest extends HomeserverCases {
    private final FakeMatrix matrix = new FakeMatrix("parley.test", () -> FakeGateway.NOW);

    @AfterEach
    void stop() {
        matrix.close();
    }

    @Override
    Person register(String localpart) {
        String token = "token-of-" + localpart;
        return new Person(matrix.address(), matrix.bot(localpart, token), token);
    }
}
