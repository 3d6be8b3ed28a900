package dev.parley.adapter.console;

import dev.parley.application.port.GatewayHealth;
import dev.parley.application.port.GatewayInspection;
import dev.parley.domain.text.OneLine;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Makes what every page has around it.
 *
 * @param gateway the gateway
 * @param style the style
 * @param script the script
 */
record Frames(GatewayInspection gateway, Asset style, Asset script) {
    /** The topic of what concerns every page: how the storage is. */
    private static final String STORAGE = "storage";

    private static final int REASON = 400;

    private static final List<String[]> PLACES = List.of(
            new String[] {"Overview", "/", "o"},
            new String[] {"Lanes", "/lanes", "l"},
            new String[] {"Sessions", "/sessions", "s"},
            new String[] {"Usage", "/usage", "u"},
            new String[] {"Events", "/events", "e"},
            new String[] {"Deliveries", "/deliveries", "d"},
            new String[] {"Failures", "/failures", "f"},
            new String[] {"Storage", "/storage", "t"},
            new String[] {"Recovery", "/recovery", "r"},
            new String[] {"What-if", WhatIf.PLACE, "w"},
            new String[] {"Settings", "/settings", "c"},
            new String[] {"Audit", "/audit", "a"});

    Pages.Frame of(PageRequest request, String title, String live) {
        String here = request.path().substring(Link.ROOT.length());
        GatewayHealth health = gateway.health();
        return new Pages.Frame(
                title,
                PLACES.stream()
                        .filter(place -> request.operates() || !place[1].equals("/audit"))
                        .map(place -> new Pages.Place(
                                place[0],
                                Link.ROOT + place[1],
                                place[2],
                                place[1].equals(here) || (here.isEmpty() && place[1].equals("/"))))
                        .toList(),
                word(health),
                mood(health),
                request.caller().role().name().toLowerCase(Locale.ROOT),
                request.caller().csrf().orElse(""),
                Stream.concat(Stream.of(live.split(" ", -1)), Stream.of(STORAGE))
                        .filter(topic -> !topic.isEmpty())
                        .distinct()
                        .collect(Collectors.joining(" ")),
                String.valueOf(request.place()),
                told(health),
                request.times().place(),
                style.address(),
                script.address());
    }

    /** Returns a page that says one thing. */
    String notice(PageRequest request, String text) {
        return NoticeRenderer.of()
                .execute(new Pages.Notice(
                        of(request, "Parley", ""), OneLine.of(text, REASON), Link.ROOT + "/", "Go to the overview"));
    }

    /** Returns how the gateway is, in a word. */
    static String word(GatewayHealth health) {
        return isHeld(health) ? "held" : health.state().word();
    }

    /** Returns whether all is well but that an operator holds new turns back. */
    private static boolean isHeld(GatewayHealth health) {
        return health.state() == GatewayHealth.State.OK && health.held();
    }

    /** Returns what an operator has to know on every page; empty where all is well. */
    static String told(GatewayHealth health) {
        return switch (health.state()) {
            case OK ->
                isHeld(health) ? "New turns wait until an operator releases them; messages are taken meanwhile." : "";
            case STARTING -> "The gateway is starting: what a process before it left is being set right.";
            case DRAINING ->
                "The gateway is stopping: running turns end, and what waits is kept for its next start. Nothing can be asked of it.";
            case DEGRADED ->
                "The storage is degraded. Messages are taken and kept beside it until it is back; what cannot be read meanwhile is"
                        + " said below.";
            case STARVED -> "Nothing gets on: " + GatewayHealth.STARVED_BECAUSE + ".";
            case REFUSING ->
                "No message is taken, and nothing can be done: "
                        + OneLine.of(
                                health.refusing().orElse("neither the storage nor its fallback can be used."), REASON);
        };
    }

    static String mood(GatewayHealth health) {
        return switch (health.state()) {
            case OK -> isHeld(health) ? "warn" : "ok";
            case DEGRADED, DRAINING, STARTING -> "warn";
            case STARVED, REFUSING -> "bad";
        };
    }
}
