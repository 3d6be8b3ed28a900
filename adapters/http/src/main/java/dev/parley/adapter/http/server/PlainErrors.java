package dev.parley.adapter.http.server;

import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.util.Callback;

/** Answers what Jetty itself refuses, such as a malformed request, with one line of JSON and nothing about its insides. */
final class PlainErrors extends ErrorHandler {
    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, "application/json");
        String message = "The request cannot be answered (" + response.getStatus() + ").";
        response.write(true, java.nio.ByteBuffer.wrap(Json.bytes(Json.error(message))), callback);
        return true;
    }
}
