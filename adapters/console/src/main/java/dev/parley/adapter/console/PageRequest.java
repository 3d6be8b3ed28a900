package dev.parley.adapter.console;

import dev.parley.application.spi.WebRequest;
import dev.parley.application.spi.WebRole;
import dev.parley.application.view.TimeSpan;
import java.util.List;
import java.util.Optional;

/**
 * A request for a page, with what held before anything was read for it.
 *
 * @param web the request as it came
 * @param times the gateway's zone, and when it was asked
 * @param place the place in the feed of changes: the page shows all that was told before, and is told of what comes behind
 */
record PageRequest(WebRequest web, Times times, long place) {
    String method() {
        return web.method();
    }

    /** Returns the whole path, decoded. */
    String path() {
        return web.path();
    }

    WebRequest.Caller caller() {
        return web.caller();
    }

    /** Returns whether the caller may act. */
    boolean operates() {
        return web.caller().role() == WebRole.OPERATOR;
    }

    /** Returns a parameter of the address; absent where there is none or it is empty. */
    Optional<String> parameter(String name) {
        return web.parameter(name);
    }

    /** Returns a parameter of the address; empty where there is none. */
    String text(String name) {
        return web.parameter(name).orElse("");
    }

    /** Returns a field of the form; absent where there is none or it is empty. */
    Optional<String> field(String name) {
        return web.field(name);
    }

    /** Returns the span of time that is asked for, in the gateway's zone. */
    TimeSpan span() {
        return TimeSpan.of("Since", parameter("from"), "Until", parameter("to"), times.zone());
    }

    /** Returns the fields of a span of time: days, unless the address says a time. */
    List<Pages.Field> spanFields() {
        return List.of(spanField("Since", "from"), spanField("Until", "to"));
    }

    private Pages.Field spanField(String label, String name) {
        String value = text(name);
        return new Pages.Field(label, name, value.contains("T") ? "text" : "date", value);
    }

    Optional<String> header(String name) {
        return web.header(name);
    }
}
