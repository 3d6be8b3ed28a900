package dev.parley.adapter.matrix;

import dev.parley.domain.source.Platform;
import dev.parley.fakes.gateway.FakeGateway;
import java.util.Map;

/** What tests of the adapter share. */
final class MatrixTesting {
    static final String TOKEN = "syt_matrix-secret";

    private MatrixTesting() {}

    /** Returns a gateway whose platform waits two seconds for something to happen. */
    static FakeGateway gateway() {
        return new FakeGateway(Platform.MATRIX, Map.of("sync_timeout", "2"), Map.of("MATRIX_ACCESS_TOKEN", TOKEN));
    }
}
