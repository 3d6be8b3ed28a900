package dev.parley.adapter.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpURI;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What a caller and the operator are told of errors that Jetty answers by itself. */
class PlainErrorsTest {
    private final List<String> warnings = new ArrayList<>();
    private final HttpFields.Mutable headers = HttpFields.build();
    private final StringBuilder written = new StringBuilder();
    private int status;

    @Test
    void aFailureIsToldToTheOperatorAndItsInsidesNotToTheCaller() {
        answer(500, false, Map.of(ErrorHandler.ERROR_EXCEPTION, new IllegalStateException("a fault inside")));

        assertThat(status).isEqualTo(500);
        assertThat(written.toString()).isEqualTo("{\"error\":\"The request cannot be answered (500).\"}");
        assertThat(warnings)
                .singleElement()
                .asString()
                .startsWith("HTTP POST /v1/messages failed: java.lang.IllegalStateException at ")
                .doesNotContain("a fault inside");
    }

    @Test
    void aFailureWithoutACauseIsToldTheOperatorToo() {
        answer(500, false, Map.of());

        assertThat(warnings).containsExactly("HTTP POST /v1/messages failed: answered 500");
    }

    @Test
    void aStopThatTakesTheConnectionIsNoFailure() {
        answer(500, true, Map.of(ErrorHandler.ERROR_EXCEPTION, new IOException("closed")));

        assertThat(status).isEqualTo(503);
        assertThat(headers.get(HttpHeader.RETRY_AFTER)).isEqualTo("5");
        assertThat(written.toString()).startsWith("{\"error\":\"The gateway is stopping");
        assertThat(warnings).isEmpty();
    }

    @Test
    void aCallerThatIsGoneIsNobodysTrouble() {
        answer(500, false, Map.of(ErrorHandler.ERROR_EXCEPTION, new IOException("closed")));

        assertThat(warnings).isEmpty();
    }

    @Test
    void aRequestThatIsWrongIsNobodysTroubleButTheCallers() {
        answer(400, true, Map.of());

        assertThat(status).isEqualTo(400);
        assertThat(written.toString()).isEqualTo("{\"error\":\"The request cannot be answered (400).\"}");
        assertThat(warnings).isEmpty();
    }

    private void answer(int failed, boolean stopping, Map<String, Object> attributes) {
        status = failed;
        Request request = fake(Request.class, (method, arguments) -> switch (method) {
            case "getMethod" -> "POST";
            case "getHttpURI" -> HttpURI.from("http://127.0.0.1/v1/messages?x=1");
            case "getAttribute" -> attributes.get(arguments[0]);
            default -> throw new AssertionError("not asked for here: " + method);
        });
        Response response = fake(Response.class, (method, arguments) -> switch (method) {
            case "getStatus" -> status;
            case "setStatus" -> {
                status = (int) arguments[0];
                yield null;
            }
            case "getHeaders" -> headers;
            case "write" -> written.append(StandardCharsets.UTF_8.decode((ByteBuffer) arguments[1]));
            default -> throw new AssertionError("not asked for here: " + method);
        });

        assertThat(new PlainErrors(() -> stopping, warnings::add).handle(request, response, Callback.NOOP))
                .isTrue();
        assertThat(headers.get(HttpHeader.CONTENT_TYPE)).isEqualTo("application/json");
    }

    private static <T> T fake(Class<T> type, BiFunction<String, Object[], @Nullable Object> calls) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (proxy, method, arguments) -> calls.apply(method.getName(), arguments)));
    }
}
