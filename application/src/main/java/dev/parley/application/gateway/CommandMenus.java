package dev.parley.application.gateway;

import dev.parley.application.ability.Menus;
import dev.parley.application.command.ChatCommand;
import dev.parley.application.guard.Guard;
import dev.parley.application.guard.TimedCalls;
import dev.parley.application.port.ChatPlatform;
import dev.parley.domain.source.Platform;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Shows the gateway's commands in the menus of its platforms: of each once, as soon as it is able to send. Where that fails it is told,
 * and tried again with the next connection. Safe for concurrent use.
 */
final class CommandMenus {
    private final Map<Platform, Menus> menus = new TreeMap<>();
    private final List<Menus.Entry> entries;
    private final TimedCalls calls;
    private final Guard guard;
    private final Set<Platform> shown = ConcurrentHashMap.newKeySet();

    /**
     * Menus that show nothing yet.
     *
     * @param platforms the platforms, with and without menus
     * @param commands what they show, in this order
     * @param calls calls them
     * @param guard tells what they throw
     */
    CommandMenus(
            List<? extends ChatPlatform> platforms,
            List<? extends ChatCommand> commands,
            TimedCalls calls,
            Guard guard) {
        platforms.forEach(platform -> platform.as(Menus.class).ifPresent(menu -> menus.put(platform.name(), menu)));
        this.entries = commands.stream()
                .map(command -> new Menus.Entry(command.name(), command.summary()))
                .toList();
        this.calls = calls;
        this.guard = guard;
    }

    /** A platform has become able to send. */
    void connected(Platform platform) {
        Menus menu = menus.get(platform);
        if (menu != null && shown.add(platform)) {
            calls.attempt(
                    () -> menu.menu(entries),
                    failure -> failure.ifPresent(e -> {
                        shown.remove(platform);
                        guard.tell(
                                Optional.empty(),
                                "The commands are not shown in the menu of " + platform.name() + ".",
                                e);
                    }));
        }
    }
}
