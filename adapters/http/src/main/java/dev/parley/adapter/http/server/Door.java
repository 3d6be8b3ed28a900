package dev.parley.adapter.http.server;

import dev.parley.application.port.GatewayEvent;
import dev.parley.application.spi.ProviderSettings;
import dev.parley.application.spi.WebRequest;
import dev.parley.application.spi.WebResponse;
import dev.parley.application.spi.WebRole;
import dev.parley.application.spi.WebSurface;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntSupplier;
import java.util.stream.Collectors;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.jspecify.annotations.Nullable;

/**
 * The way to the surfaces: who asks is known by a token in a header, or by the cookie that logging in gave. A form must come from
 * a page of ours, by where the browser says it comes from and by what the page put into it: other ports of one host are the same
 * site to a browser, so the cookie alone proves nothing. Safe for concurrent use.
 */
final class Door {
    /** On every answer of a surface, unless it says otherwise. */
    static final Map<String, String> HEADERS = Map.of(
            "Content-Security-Policy",
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self';"
                    + " form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
            "X-Content-Type-Options",
            "nosniff",
            "Referrer-Policy",
            "same-origin",
            "Cross-Origin-Opener-Policy",
            "same-origin",
            "Cross-Origin-Resource-Policy",
            "same-origin",
            "Permissions-Policy",
            "camera=(), microphone=(), geolocation=()",
            "Cache-Control",
            "no-store");

    private static final String LOGIN = "/login";
    private static final String LOGOUT = "/logout";
    private static final String CODE = "/code";
    private static final String POST = "POST";
    private static final String SAME_ORIGIN = "same-origin";

    private final HttpSettings http;
    private final ProviderSettings settings;
    private final Guard guard;
    private final IntSupplier port;
    private final LoginSessions sessions;
    private final Throttle throttle;

    Door(HttpSettings http, ProviderSettings settings, Guard guard, IntSupplier port) {
        this.http = http;
        this.settings = settings;
        this.guard = guard;
        this.port = port;
        this.sessions = new LoginSessions(settings.clock());
        this.throttle = new Throttle(settings.clock());
    }

    /** Where a stranger is sent to log in, instead of what was asked for. */
    record Elsewhere(String address) {}

    /**
     * Looks who asks a surface for a path, before a body is read, and notes it at the request.
     *
     * @return where to send the browser of a stranger; absent where the request may go on
     * @throws Rejected where it may not
     */
    Optional<Elsewhere> admit(WebSurface surface, Request request) {
        String path = Request.getPathInContext(request);
        String method = request.getMethod().toUpperCase(Locale.ROOT);
        WebRequest.Caller caller = caller(surface, request);
        request.setAttribute(Surfaces.ASKING, caller);
        WebRole needed = needed(surface, method, path);
        if (!caller.role().reaches(needed)) {
            return turnAway(surface, request, caller, path, method);
        }
        boolean byToken = request.getHeaders().contains(HttpHeader.AUTHORIZATION);
        if (!method.equals("GET") && !method.equals("HEAD") && !byToken) {
            checkOrigin(request.getHeaders());
        }
        return Optional.empty();
    }

    private Optional<Elsewhere> turnAway(
            WebSurface surface, Request request, WebRequest.Caller caller, String path, String method) {
        if (caller.role() != WebRole.NOBODY) {
            audit(caller, method + " " + path, "", "refused");
            throw new Rejected(403, "This is for the operator; you are logged in as " + word(caller.role()) + ".");
        }
        if (surface.hasLogin() && method.equals("GET") && accepts(request, "text/html")) {
            String query = request.getHttpURI().getQuery();
            String next = query == null ? path : path + "?" + query;
            return Optional.of(
                    new Elsewhere(surface.path() + LOGIN + "?next=" + URLEncoder.encode(next, StandardCharsets.UTF_8)));
        }
        throw new Rejected(
                401,
                "Show the token that is in the file http-token or http-token-reader of the home, as 'Authorization:"
                        + " Bearer TOKEN'"
                        + (surface.hasLogin() ? ", or log in at " + surface.path() + LOGIN + "." : "."));
    }

    private WebRole needed(WebSurface surface, String method, String path) {
        if (surface.hasLogin()) {
            if (path.equals(surface.path() + LOGIN)) {
                return WebRole.NOBODY;
            }
            if (path.equals(surface.path() + CODE)) {
                return WebRole.OPERATOR;
            }
            if (path.equals(surface.path() + LOGOUT)) {
                return WebRole.READER;
            }
        }
        return surface.needed(method, path);
    }

    private WebRequest.Caller caller(WebSurface surface, Request request) {
        String remote = Request.getRemoteAddr(request);
        Optional<WebRole> token = guard.role(request.getHeaders().get(HttpHeader.AUTHORIZATION));
        if (token.isPresent()) {
            return new WebRequest.Caller(allowed(surface, token.get()), "token", Optional.empty(), remote);
        }
        return sessionId(surface, request)
                .flatMap(sessions::use)
                .map(session -> new WebRequest.Caller(
                        allowed(surface, session.role()), session.name(), Optional.of(sessions.csrf(session)), remote))
                .orElseGet(() -> WebRequest.Caller.nobody(remote));
    }

    /** Nobody acts through a surface that is set to be read only. */
    private WebRole allowed(WebSurface surface, WebRole role) {
        boolean readOnly = surface.hasLogin() && http.isReadOnly(surface.path().substring(1));
        return readOnly && role == WebRole.OPERATOR ? WebRole.READER : role;
    }

    /** Returns the id of a session that a request shows; a secret. */
    Optional<String> sessionId(WebSurface surface, Request request) {
        String begins = cookieName(surface) + "=";
        return request.getHeaders().getValuesList(HttpHeader.COOKIE).stream()
                .flatMap(line -> Arrays.stream(line.split(";", -1)))
                .map(String::strip)
                .filter(pair -> pair.startsWith(begins))
                .map(pair -> pair.substring(begins.length()))
                .findFirst();
    }

    private String cookieName(WebSurface surface) {
        return "parley" + surface.path().replace('/', '_') + "_" + port.getAsInt();
    }

    private void checkOrigin(HttpFields headers) {
        String site = headers.get("Sec-Fetch-Site");
        String origin = headers.get(HttpHeader.ORIGIN);
        boolean fromHere = site == null || site.equals(SAME_ORIGIN);
        boolean known = origin == null ? site != null : isOurs(origin, headers.get(HttpHeader.HOST));
        if (!fromHere || !known) {
            throw new Rejected(403, "This form does not come from a page of this gateway.");
        }
    }

    private boolean isOurs(String origin, @Nullable String host) {
        return origin.equals("http://" + host)
                || http.publicUrl()
                        .map(url -> url.getScheme() + "://" + url.getRawAuthority())
                        .filter(origin::equals)
                        .isPresent();
    }

    /**
     * Answers what is the door's own business, and refuses a form that does not prove where it comes from; empty where the surface
     * is to answer.
     */
    Optional<WebResponse> answer(WebSurface surface, WebRequest asked, Optional<String> sessionId) {
        if (!asked.method().equals(POST)) {
            return Optional.empty();
        }
        boolean own = surface.hasLogin();
        if (own && asked.path().equals(surface.path() + LOGIN)) {
            return Optional.of(login(surface, asked));
        }
        if (asked.caller().csrf().isPresent() && !carriesProof(asked, sessionId)) {
            audit(asked.caller(), "POST " + asked.path(), "", "refused");
            return Optional.of(WebResponse.text(
                    403,
                    "text/plain",
                    "This form has grown old or is not ours; go back, reload the page and try again."));
        }
        if (own && asked.path().equals(surface.path() + LOGOUT)) {
            return Optional.of(logout(surface, asked, sessionId));
        }
        if (own && asked.path().equals(surface.path() + CODE)) {
            return Optional.of(WebResponse.text(200, "text/plain; charset=utf-8", sessions.code()));
        }
        return Optional.empty();
    }

    private boolean carriesProof(WebRequest asked, Optional<String> sessionId) {
        return sessionId
                .flatMap(sessions::use)
                .filter(session -> asked.field("csrf")
                        .filter(csrf -> sessions.isOf(session, csrf))
                        .isPresent())
                .isPresent();
    }

    private WebResponse login(WebSurface surface, WebRequest asked) {
        String remote = asked.caller().remote();
        Optional<Long> wait = throttle.pause(remote)
                .map(pause -> Math.max(1, pause.plusMillis(999).toSeconds()));
        if (wait.isPresent()) {
            audit(asked.caller(), "login", "", "throttled");
            return refused(surface, asked, 429, "throttled").with("Retry-After", String.valueOf(wait.get()));
        }
        Optional<WebRole> role = asked.field("code").isPresent()
                ? asked.field("code").filter(sessions::take).map(code -> WebRole.OPERATOR)
                : asked.field("token").flatMap(token -> guard.role("Bearer " + token.strip()));
        if (role.isEmpty()) {
            throttle.wrong(remote);
            audit(asked.caller(), "login", "", "refused");
            return refused(surface, asked, 403, asked.field("code").isPresent() ? "code" : "token");
        }
        String id = sessions.begin(role.get());
        audit(
                new WebRequest.Caller(role.get(), sessions.use(id).orElseThrow().name(), Optional.empty(), remote),
                "login",
                "",
                "done");
        return WebResponse.see(next(surface, asked))
                .with("Set-Cookie", cookie(surface, id, LoginSessions.LONGEST.toSeconds()));
    }

    private String cookie(WebSurface surface, String id, long seconds) {
        boolean secure = http.publicUrl()
                .filter(url -> "https".equalsIgnoreCase(url.getScheme()))
                .isPresent();
        return cookieName(surface) + "=" + id + "; Path=" + surface.path() + "; Max-Age=" + seconds
                + "; HttpOnly; SameSite=Strict" + (secure ? "; Secure" : "");
    }

    /** Only a page of the surface: an address that leads elsewhere is not followed. */
    private static String next(WebSurface surface, WebRequest asked) {
        return asked.field("next")
                .filter(next -> (next.equals(surface.path()) || next.startsWith(surface.path() + "/"))
                        && next.chars().allMatch(c -> c > ' ' && c < 0x7f && c != '\\'))
                .orElse(surface.path() + "/");
    }

    private static WebResponse.Whole refused(WebSurface surface, WebRequest asked, int status, String why) {
        WebRequest again = new WebRequest(
                "GET",
                surface.path() + LOGIN,
                Map.of("refused", List.of(why), "next", List.of(next(surface, asked))),
                Map.of(),
                asked.headers(),
                asked.caller());
        return surface.answer(again) instanceof WebResponse.Whole page
                ? new WebResponse.Whole(status, page.headers(), page.body())
                : WebResponse.text(status, "text/plain", "Log in again.");
    }

    private WebResponse logout(WebSurface surface, WebRequest asked, Optional<String> sessionId) {
        sessionId.ifPresent(sessions::end);
        audit(asked.caller(), "logout", "", "done");
        return WebResponse.see(surface.path() + LOGIN).with("Set-Cookie", cookie(surface, "", 0));
    }

    /** Returns whether who asked once may still see what goes on. */
    boolean stillAdmits(WebRequest.Caller caller) {
        return caller.csrf().isEmpty() || sessions.has(caller.name());
    }

    private void audit(WebRequest.Caller caller, String action, String target, String outcome) {
        settings.inspection()
                .told(new GatewayEvent.OperatorActed(
                        caller.name(), word(caller.role()), caller.remote(), action, target, outcome));
    }

    private static String word(WebRole role) {
        return role.name().toLowerCase(Locale.ROOT);
    }

    private static boolean accepts(Request request, String type) {
        return request.getHeaders().getValuesList(HttpHeader.ACCEPT).stream()
                .collect(Collectors.joining(","))
                .contains(type);
    }
}
