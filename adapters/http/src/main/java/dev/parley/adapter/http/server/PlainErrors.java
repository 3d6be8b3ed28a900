package dev.parley.adapter.http.server;

import dev.parley.application.port.StrippedFailure;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.util.Callback;

/**
 * Answers what Jetty itself refuses, such as a malformed request, with one line of JSON and nothing about its insides, and closes the connection. What it
 * fails at is told to the operator, unless the caller is gone; while the server stops, it is answered with 503.
 */
final class PlainErrors extends ErrorHandler {
    private final BooleanSupplier stopping;
    private final Consumer<String> warnings;

    /** Answers for a server that may be stopping, and tells the operator what fails. */
    PlainErrors(BooleanSupplier stopping, Consumer<String> warnings) {
        this.stopping = stopping;
        this.warnings = warnings;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, "application/json");
        response.getHeaders().put(HttpHeader.CONNECTION, "close");
        byte[] body = Json.bytes(Json.error(message(request, response)));
        response.write(true, ByteBuffer.wrap(body), callback);
        return true;
    }

    private String message(Request request, Response response) {
        int status = response.getStatus();
        if (status >= 500 && stopping.getAsBoolean()) {
            response.setStatus(503);
            response.getHeaders().put(HttpHeader.RETRY_AFTER, Responses.RETRY_SECONDS);
            return Responses.STOPPING;
        }
        boolean ours = status >= 500 && status != 501 && status != 505;
        if (ours && !(request.getAttribute(ERROR_EXCEPTION) instanceof IOException)) {
            String why = request.getAttribute(ERROR_EXCEPTION) instanceof Throwable thrown
                    ? StrippedFailure.line(thrown)
                    : Optional.ofNullable(request.getAttribute(ERROR_MESSAGE))
                            .map(Object::toString)
                            .orElse("answered " + status);
            warnings.accept(
                    "HTTP " + request.getMethod() + " " + request.getHttpURI().getPath() + " failed: " + why);
        }
        return "The request cannot be answered (" + status + ").";
    }
}
