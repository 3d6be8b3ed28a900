package dev.parley.application.spi;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A request to a {@link WebSurface}.
 *
 * @param method the method, in capitals
 * @param path the whole path, decoded
 * @param query the parameters of the address, by name
 * @param form the fields of a form, by name; empty where none was sent
 * @param headers the headers, by name in lower case; without what says who asks
 * @param caller who asks
 */
public record WebRequest(
        String method,
        String path,
        Map<String, List<String>> query,
        Map<String, List<String>> form,
        Map<String, String> headers,
        Caller caller) {
    public WebRequest {
        query = Map.copyOf(query);
        form = Map.copyOf(form);
        headers = Map.copyOf(headers);
    }

    /**
     * Who asks.
     *
     * @param role what it may do
     * @param name how audits name it, such as {@code token} or the first characters of a session
     * @param csrf what forms carry back; absent where no cookie says who asks
     * @param remote the address it asks from
     */
    public record Caller(WebRole role, String name, Optional<String> csrf, String remote) {
        /** Returns somebody without a token. */
        public static Caller nobody(String remote) {
            return new Caller(WebRole.NOBODY, "nobody", Optional.empty(), remote);
        }
    }

    /** Returns the first value of a parameter of the address; absent where there is none or it is empty. */
    public Optional<String> parameter(String name) {
        return first(query, name);
    }

    /** Returns the first value of a field; absent where there is none or it is empty. */
    public Optional<String> field(String name) {
        return first(form, name);
    }

    /** Returns a header; absent where it was not sent. */
    public Optional<String> header(String name) {
        return Optional.ofNullable(headers.get(name));
    }

    private static Optional<String> first(Map<String, List<String>> values, String name) {
        return values.getOrDefault(name, List.of()).stream().findFirst().filter(value -> !value.isEmpty());
    }
}
