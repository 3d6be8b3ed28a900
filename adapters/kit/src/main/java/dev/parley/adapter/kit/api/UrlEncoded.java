package dev.parley.adapter.kit.api;

import java.net.URLEncoder;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.stream.Collectors;

/** Fields as a page's form sends them, as {@code application/x-www-form-urlencoded}. */
public final class UrlEncoded implements Form {
    private final String text;

    /** A form with these fields, in their order. */
    public UrlEncoded(Map<String, String> fields) {
        this.text = fields.entrySet().stream()
                .map(each -> encoded(each.getKey()) + "=" + encoded(each.getValue()))
                .collect(Collectors.joining("&"));
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    @Override
    public String contentType() {
        return "application/x-www-form-urlencoded; charset=utf-8";
    }

    @Override
    public BodyPublisher body() {
        return BodyPublishers.ofString(text, StandardCharsets.UTF_8);
    }
}
