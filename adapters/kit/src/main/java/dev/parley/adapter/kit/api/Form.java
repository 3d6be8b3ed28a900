package dev.parley.adapter.kit.api;

import java.net.http.HttpRequest.BodyPublisher;

/** What a call hands in that is no JSON. */
public sealed interface Form permits Multipart, UrlEncoded, WholeFile {
    /** Returns the value of the header {@code Content-Type}. */
    String contentType();

    /** Returns the bytes that are sent. */
    BodyPublisher body();
}
