package dev.parley.adapter.console;

import dev.parley.application.port.GatewayInspection;
import dev.parley.application.spi.WebRequest;
import dev.parley.application.spi.WebRole;
import java.util.List;
import java.util.Locale;

/**
 * Makes what every page has around it.
 *
 * @param gateway the gateway
 * @param style the style
 * @param script the script
 */
record Frames(GatewayInspection gateway, Asset style, Asset script) {
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

    Pages.Frame of(WebRequest request, String title, String live) {
        String here = request.path().substring(Link.ROOT.length());
        String state = gateway.health().getOrDefault("status", "ok");
        boolean operates = request.caller().role() == WebRole.OPERATOR;
        return new Pages.Frame(
                title,
                PLACES.stream()
                        .filter(place -> operates || !place[1].equals("/audit"))
                        .map(place -> new Pages.Place(
                                place[0],
                                Link.ROOT + place[1],
                                place[2],
                                place[1].equals(here) || (here.isEmpty() && place[1].equals("/"))))
                        .toList(),
                state,
                mood(state),
                request.caller().role().name().toLowerCase(Locale.ROOT),
                request.caller().csrf().orElse(""),
                live,
                style.address(),
                script.address());
    }

    static String mood(String state) {
        return switch (state) {
            case "ok" -> "ok";
            case "degraded", "draining", "starting" -> "warn";
            default -> "bad";
        };
    }
}
