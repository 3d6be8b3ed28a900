package dev.parley.spring;

import dev.parley.application.port.InvalidRequest;
import dev.parley.application.spi.AgentProvider;
import dev.parley.application.spi.PlatformProvider;
import dev.parley.application.spi.StorageProvider;
import dev.parley.application.spi.WebSurfaceProvider;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.TreeMap;
import java.util.function.Function;

/** The storages, platforms, agents and pages on the class path of the application. */
final class Providers {
    private final ClassLoader loader;

    Providers(ClassLoader loader) {
        this.loader = loader;
    }

    private <T> Map<String, T> found(Class<T> service, Function<T, String> name) {
        Map<String, T> found = new TreeMap<>();
        ServiceLoader.load(service, loader).forEach(each -> found.putIfAbsent(name.apply(each), each));
        return found;
    }

    private static <T> T one(Map<String, T> found, String what, String name, String artifact) {
        return Optional.ofNullable(found.get(name))
                .orElseThrow(() -> new InvalidRequest("There is no " + what + " \"" + name
                        + "\" on the class path, only "
                        + (found.isEmpty() ? "none" : String.join(", ", found.keySet())) + "; add " + artifact + name
                        + ", or the one of its author."));
    }

    StorageProvider storage(String scheme) {
        return one(found(StorageProvider.class, StorageProvider::scheme), "storage", scheme, "parley-persistence-");
    }

    PlatformProvider platform(String section) {
        return one(found(PlatformProvider.class, PlatformProvider::section), "platform", section, "parley-adapter-");
    }

    AgentProvider agent(String name) {
        return one(found(AgentProvider.class, AgentProvider::name), "agent", name, "parley-adapter-");
    }

    /** Returns what a web server shows beside its own; what lacks a library is left out. */
    List<WebSurfaceProvider> surfaces() {
        return List.copyOf(
                found(WebSurfaceProvider.class, WebSurfaceProvider::name).values());
    }
}
