package dev.parley.adapter.console;

import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The addresses of the console: what is not in this list is not there, and tests that look at every page ask this list for them.
 * Logging in and out is the business of the web server, which shows the page {@link #LOGIN}.
 */
public enum Route {
    /** How the gateway is, and what happened last. */
    OVERVIEW("/", Kind.PAGE, Who.READERS),
    /** The lanes there are. */
    LANES("/lanes", Kind.PAGE, Who.READERS),
    /** One lane, and why it has its session. */
    LANE("/lane", Kind.PAGE, Who.READERS),
    /** The sessions there are. */
    SESSIONS("/sessions", Kind.PAGE, Who.READERS),
    /** What was said in a session. */
    SESSION("/session", Kind.PAGE, Who.READERS),
    /** Where something was said. */
    SEARCH("/search", Kind.PAGE, Who.READERS),
    /** Tokens and cost. */
    USAGE("/usage", Kind.PAGE, Who.READERS),
    /** Messages to chats, and what became of them. */
    DELIVERIES("/deliveries", Kind.PAGE, Who.READERS),
    /** Turns without an answer. */
    FAILURES("/failures", Kind.PAGE, Who.READERS),
    /** What changed which session a lane has. */
    EVENTS("/events", Kind.PAGE, Who.READERS),
    /** How the storage is. */
    STORAGE("/storage", Kind.PAGE, Who.READERS),
    /** What restarts did. */
    RECOVERY("/recovery", Kind.PAGE, Who.READERS),
    /** What holds, and where it comes from. */
    SETTINGS("/settings", Kind.PAGE, Who.READERS),
    /** What operators did. */
    AUDIT("/audit", Kind.PAGE, Who.OPERATORS),
    /** What another reset policy would have done; its form only reads, so readers may ask as well. */
    WHAT_IF(WhatIf.PLACE, Kind.FORM, Who.READERS),
    /** Ends what {@link #WHAT_IF} began. */
    WHAT_IF_CANCEL(WhatIf.CANCEL, Kind.ACT, Who.READERS),
    /** Deletes the sessions of long ago. */
    PRUNE(Prune.PLACE, Kind.FORM, Who.OPERATORS),
    /** Begins a lane anew. */
    LANE_RESET("/lane/reset", Kind.FORM, Who.OPERATORS),
    /** Takes that back. */
    LANE_UNRESET("/lane/unreset", Kind.FORM, Who.OPERATORS),
    /** Lets the next message of a lane begin it anew. */
    LANE_SUSPEND("/lane/suspend", Kind.FORM, Who.OPERATORS),
    /** Takes that back. */
    LANE_UNSUSPEND("/lane/unsuspend", Kind.FORM, Who.OPERATORS),
    /** Ends the running turn of a lane. */
    LANE_INTERRUPT("/lane/interrupt", Kind.FORM, Who.OPERATORS),
    /** Lets a lane go on with a session that it had before. */
    LANE_RESUME(Operating.RESUME, Kind.FORM, Who.OPERATORS),
    /** Drops a message that waits. */
    LANE_DROP(Operating.DROP, Kind.FORM, Who.OPERATORS),
    /** Tries to deliver a message now. */
    DELIVERY_TRY(Operating.TRY, Kind.FORM, Who.OPERATORS),
    /** Gives the delivery of a message up. */
    DELIVERY_GIVE_UP(Operating.GIVE_UP, Kind.FORM, Who.OPERATORS),
    /** Changes the title of a session. */
    SESSION_TITLE(Operating.TITLE, Kind.FORM, Who.OPERATORS),
    /** Ends a session. */
    SESSION_END(Operating.END, Kind.FORM, Who.OPERATORS),
    /** Lets an ended session count as live. */
    SESSION_REOPEN(Operating.REOPEN, Kind.FORM, Who.OPERATORS),
    /** Deletes a session. */
    SESSION_DELETE(Operating.DELETE, Kind.FORM, Who.OPERATORS),
    /** Holds new turns back. */
    HOLD(Operating.HOLD, Kind.FORM, Who.OPERATORS),
    /** Lets them begin. */
    RELEASE(Operating.RELEASE, Kind.FORM, Who.OPERATORS),
    /** Checks everything that is stored. */
    CHECK(Operating.CHECK, Kind.FORM, Who.OPERATORS),
    /** The list of the sessions as a file. */
    SESSIONS_CSV(Export.SESSIONS, Kind.FILE, Who.OPERATORS),
    /** A conversation as Markdown. */
    SESSION_MARKDOWN(Export.TRANSCRIPT, Kind.FILE, Who.OPERATORS),
    /** A conversation as it is exported. */
    SESSION_JSON(Export.TRANSCRIPT_JSON, Kind.FILE, Who.OPERATORS),
    /** A lane as a scenario. */
    SCENARIO(Export.SCENARIO, Kind.FILE, Who.OPERATORS),
    /** The numbers of {@link #USAGE} as a file. */
    USAGE_CSV(UsageView.TABLE, Kind.FILE, Who.READERS),
    /** What {@link #WHAT_IF} found as a file. */
    WHAT_IF_CSV(WhatIf.TABLE, Kind.FILE, Who.READERS),
    /** What changes, as it happens. */
    STREAM("/stream", Kind.STREAM, Who.READERS),
    /** Asks for a token. */
    LOGIN("/login", Kind.LOGIN, Who.READERS);

    private static final Map<String, Route> BY_PLACE =
            Arrays.stream(values()).collect(Collectors.toUnmodifiableMap(Route::place, Function.identity()));

    private final String place;
    private final Kind kind;
    private final Who who;

    Route(String place, Kind kind, Who who) {
        this.place = place;
        this.kind = kind;
        this.who = who;
    }

    /** What an address is. */
    public enum Kind {
        /** A page to look at. */
        PAGE,
        /** A page that asks, and a form that acts. */
        FORM,
        /** A form of another page, that acts. */
        ACT,
        /** A file to be saved. */
        FILE,
        /** A stream of changes. */
        STREAM,
        /** The page of the login. */
        LOGIN
    }

    /** Who may ask for an address. */
    private enum Who {
        READERS,
        OPERATORS
    }

    /** Returns the route of a path within the console; absent where there is none. */
    static Optional<Route> at(String place) {
        return Optional.ofNullable(BY_PLACE.get(place.isEmpty() ? OVERVIEW.place : place));
    }

    /** Returns the path within the console. */
    public String place() {
        return place;
    }

    /** Returns what the address is. */
    public Kind kind() {
        return kind;
    }

    /** Returns whether a browser shows a page there. */
    public boolean isShown() {
        return kind == Kind.PAGE || kind == Kind.FORM || kind == Kind.LOGIN;
    }

    /** Returns whether forms are sent there. */
    public boolean isActedAt() {
        return kind == Kind.FORM || kind == Kind.ACT;
    }

    /** Returns whether readers may neither look nor act there. */
    public boolean isForOperatorsOnly() {
        return who == Who.OPERATORS;
    }
}
