package org.example.desk;

import dev.parley.application.gateway.Gateway;
import dev.parley.application.port.AgentFactory;
import dev.parley.application.port.ChatPlatform;
import dev.parley.application.settings.GatewaySettings;
import dev.parley.application.spi.AgentProvider;
import dev.parley.application.spi.PlatformProvider;
import dev.parley.application.spi.Storage;
import dev.parley.domain.reset.ResetMode;
import dev.parley.domain.reset.ResetPolicies;
import dev.parley.domain.reset.ResetPolicy;
import dev.parley.home.GatewayHome;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.function.Predicate;

/** The desk's gateway with a platform over HTTP and a model behind its agent: the program of a chaos run. */
final class ServedDesk {
    private ServedDesk() {}

    // docs: served
    /** Runs until it is asked to stop; the arguments are the home, the store's file, where the model listens, and where messages go. */
    public static void main(String[] arguments) {
        try (GatewayHome home = GatewayHome.take(Path.of(arguments[0]), Clock.systemUTC(), System.err::println);
                Storage storage = home.open("sqlite:" + arguments[1], "jsonl:fallback", System.err::println)) {
            ChatPlatform http = service(
                            PlatformProvider.class, each -> each.section().equals("http"))
                    .create(home.platform("platforms.http")
                            .values(Map.of("port", "0", "callback_url", arguments[3]))
                            .build());
            AgentFactory agents = service(
                            AgentProvider.class, each -> each.name().equals("openai"))
                    .create(home.agent("agents.openai")
                            .values(Map.of("base_url", arguments[2], "model", "any", "timeout", "2", "retries", "0"))
                            .build());
            Gateway gateway = home.gateway()
                    .storage(storage)
                    .agents(agents)
                    .platform(http)
                    .settings(GatewaySettings.DEFAULT.withResetPolicies(
                            ResetPolicies.of(ResetPolicy.DEFAULT.withMode(ResetMode.NONE))))
                    .build();
            home.run(gateway, () -> System.out.println(http.address().orElseThrow()));
        }
    }
    // docs: end

    private static <T> T service(Class<T> type, Predicate<T> chosen) {
        return ServiceLoader.load(type).stream()
                .map(ServiceLoader.Provider::get)
                .filter(chosen)
                .findFirst()
                .orElseThrow();
    }
}
