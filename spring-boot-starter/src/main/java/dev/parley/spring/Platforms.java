package dev.parley.spring;

import dev.parley.application.actor.Timing;
import dev.parley.application.gateway.StoredCursors;
import dev.parley.application.port.Authorization;
import dev.parley.application.port.ChatPlatform;
import dev.parley.application.port.Cursors;
import dev.parley.application.port.GatewayEvents;
import dev.parley.application.port.InvalidRequest;
import dev.parley.application.port.MediaStore;
import dev.parley.application.spi.PlatformProvider;
import dev.parley.application.spi.ProviderSettings;
import dev.parley.application.spi.Storage;
import dev.parley.application.spi.WebSurface;
import dev.parley.application.spi.WebSurfaceProvider;
import dev.parley.domain.source.Platform;
import dev.parley.home.access.AllowLists;
import dev.parley.home.access.Pairing;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** The platforms that the properties name, who may talk on them, and what a web server among them shows. */
record Platforms(List<ChatPlatform> started, List<WebSurface> surfaces, Authorization authorization) {
    private static final String HTTP = "http";
    private static final String ENABLED = "enabled";
    private static final String ALLOW = "allow";
    private static final String ADMINS = "allow_admin_from";
    private static final String PAIRING = "pairing";
    private static final Set<String> OURS = Set.of(ENABLED, ALLOW, ADMINS, PAIRING);

    Platforms {
        started = List.copyOf(started);
        surfaces = List.copyOf(surfaces);
    }

    /**
     * Makes them; starts none.
     *
     * @throws InvalidRequest where one is not on the class path or cannot take its settings
     */
    static Platforms of(
            ParleyProperties properties,
            Providers providers,
            Surroundings surroundings,
            Storage storage,
            MediaStore media,
            Pairing pairing,
            GatewayEvents events) {
        Cursors cursors = new StoredCursors(
                storage,
                new Timing(
                        surroundings.home().clock(),
                        surroundings.home().threads(),
                        surroundings.home().ids()),
                surroundings.home().threads().executor(),
                events);
        List<ChatPlatform> made = new ArrayList<>();
        List<WebSurface> surfaces = new ArrayList<>();
        Map<Platform, AllowLists.Lists> lists = new HashMap<>();
        new TreeMap<>(properties.platforms()).forEach((name, values) -> {
            PlatformProvider provider = providers.platform(name);
            Set<String> known = new HashSet<>(provider.settings());
            known.addAll(OURS);
            if (name.equals(HTTP)) {
                providers.surfaces().forEach(surface -> known.add(surface.name()));
            }
            Section section = Section.of("parley.platforms." + name, values, known);
            if (!section.flag(ENABLED, true)) {
                return;
            }
            List<String> allow = section.words(ALLOW);
            boolean pairs = section.flag(PAIRING, false);
            if (provider.isOpenToTheWorld() && allow.isEmpty() && !pairs) {
                throw new InvalidRequest(
                        "Anybody in the world can write to " + name + ": say who may talk, with parley.platforms."
                                + name + ".allow (their ids, or \"*\" for everybody) or parley.platforms." + name
                                + ".pairing=true (you let them in).");
            }
            lists.put(provider.name(), new AllowLists.Lists(allow, pairs, section.words(ADMINS)));
            ProviderSettings settings = surroundings
                    .platform(name)
                    .values(section.without(OURS))
                    .build()
                    .keeping(cursors, media);
            if (name.equals(HTTP)) {
                surfaces.addAll(surfaces(providers.surfaces(), settings));
                settings = settings.showing(surfaces);
            }
            made.add(provider.create(settings));
        });
        return new Platforms(
                made,
                surfaces,
                AllowLists.of(
                        lists,
                        pairing,
                        (platform, code) -> "I do not know you yet. Ask my operator to let you in, with this code of "
                                + platform.name() + ": " + code + "\nThe code is good for one hour."));
    }

    /** A page that lacks a library is left out: the metrics of an application that has another registry. */
    private static List<WebSurface> surfaces(List<WebSurfaceProvider> providers, ProviderSettings settings) {
        List<WebSurface> made = new ArrayList<>();
        for (WebSurfaceProvider provider : providers) {
            boolean off = settings.value(provider.name())
                    .filter(word -> word.equalsIgnoreCase("off") || word.equalsIgnoreCase("false"))
                    .isPresent();
            if (!off) {
                try {
                    made.add(provider.create(settings));
                } catch (NoClassDefFoundError e) {
                    ApplicationLog.LOG.info("/" + provider.name()
                            + " is not shown, since a library it needs is not there: " + e.getMessage());
                }
            }
        }
        return made;
    }
}
