package dev.parley.adapter.http.server;

import dev.parley.application.spi.WebRole;
import dev.parley.domain.source.Platform;
import java.net.InetAddress;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Decides who may ask at all: by the name under which we were called, and by the token that was shown. */
final class Guard {
    private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");
    private static final String BEARER = "bearer ";

    /** The paths that strangers may ask for. */
    static final String HEALTH = "/healthz";

    static final String LIVE = "/livez";
    static final String READY = "/readyz";
    /** A browser asks for it beside any page that names none, and would tell its reader of a refusal. */
    static final String ICON = "/favicon.ico";

    private static final Set<String> OPEN = Set.of(HEALTH, LIVE, READY, ICON);
    /** The path that bridges may ask for besides. */
    static final String MESSAGES = "/v1/messages";

    private final Set<String> hosts;
    private final boolean anyAddress;
    private final AccessToken token;
    private final AccessToken reader;
    private final Map<Platform, AccessToken> bridges;

    Guard(HttpSettings settings, InetAddress bound, AccessToken token, AccessToken reader) {
        Set<String> names = new HashSet<>(LOOPBACK);
        names.addAll(settings.hosts());
        names.add(settings.bind().toLowerCase(Locale.ROOT));
        names.add("[" + settings.bind().toLowerCase(Locale.ROOT) + "]");
        settings.publicUrl().ifPresent(url -> names.add(url.getHost().toLowerCase(Locale.ROOT)));
        this.hosts = Set.copyOf(names);
        this.anyAddress = bound.isAnyLocalAddress();
        this.token = token;
        this.reader = reader;
        this.bridges = settings.bridges();
    }

    /**
     * Who asks.
     *
     * @param operator whether it is the owner of the home, who sees everything
     * @param reader whether it may read what the operator may read, and do nothing
     * @param platforms the platforms in whose names it may speak
     */
    record Caller(boolean operator, boolean reader, Set<Platform> platforms) {}

    /** Returns what whoever shows a token may do; nothing for no token, a wrong one and one of a bridge. */
    Optional<WebRole> role(@Nullable String authorization) {
        return caller(authorization)
                .filter(caller -> caller.operator() || caller.reader())
                .map(caller -> caller.operator() ? WebRole.OPERATOR : WebRole.READER);
    }

    /**
     * Checks the name under which we were called, so that a web page cannot reach us under a name of its own (DNS rebinding).
     *
     * @throws Rejected where the name is none of ours
     */
    void checkHost(@Nullable String header) {
        String host = header == null ? "" : withoutPort(header.strip().toLowerCase(Locale.ROOT));
        if (!hosts.contains(host) && !(anyAddress && isAddress(host))) {
            throw new Rejected(
                    421, "This gateway is not called by that name; use 127.0.0.1, or list the name under 'hosts'.");
        }
    }

    /**
     * Returns who may ask for a path; nobody where strangers may.
     *
     * @param method the method, in capitals
     * @param path the path exactly as it was asked for, so that no other spelling of it is taken for it
     * @throws Rejected where the caller may not ask for it
     */
    Optional<Caller> admit(String method, String path, @Nullable String authorization) {
        Optional<Caller> caller = caller(authorization);
        if (caller.isEmpty() && !OPEN.contains(path)) {
            throw new Rejected(
                    401,
                    "Show the token that is in the file http-token of the home, as 'Authorization: Bearer TOKEN'.");
        }
        boolean open = OPEN.contains(path);
        if (caller.isPresent() && caller.get().reader() && !open) {
            if (path.equals(MESSAGES) || !method.equals("GET")) {
                throw new Rejected(403, "This token is for looking only.");
            }
            return caller;
        }
        if (caller.isPresent() && !caller.get().operator() && !open && !path.equals(MESSAGES)) {
            throw new Rejected(403, "This token is for messages of its platform only.");
        }
        return caller;
    }

    private Optional<Caller> caller(@Nullable String authorization) {
        if (authorization == null || !authorization.toLowerCase(Locale.ROOT).startsWith(BEARER)) {
            return Optional.empty();
        }
        String shown = authorization.substring(BEARER.length()).strip();
        if (token.is(shown)) {
            return Optional.of(new Caller(true, false, Set.of(Platform.WEBHOOK, Platform.LOCAL)));
        }
        if (reader.is(shown)) {
            return Optional.of(new Caller(false, true, Set.of()));
        }
        return bridges.entrySet().stream()
                .filter(bridge -> bridge.getValue().is(shown))
                .map(bridge -> new Caller(false, false, Set.of(bridge.getKey())))
                .findFirst();
    }

    private static String withoutPort(String host) {
        int colon = host.lastIndexOf(':');
        return colon > host.lastIndexOf(']') ? host.substring(0, colon) : host;
    }

    /** An address cannot be made to mean another machine, a name can. */
    private static boolean isAddress(String host) {
        return host.matches("[0-9]{1,3}(\\.[0-9]{1,3}){3}") || host.matches("\\[[0-9a-f:.]+]");
    }
}
