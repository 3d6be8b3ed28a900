package dev.parley.adapter.discord;

import dev.parley.application.port.ChatPlatform;
import dev.parley.domain.source.Platform;
import dev.parley.fakes.discord.FakeDiscord;
import dev.parley.fakes.gateway.FakeGateway;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** What the tests of the Discord bot share. */
final class DiscordTesting {
    static final String TOKEN = "discord-secret";
    static final Map<String, String> ENVIRONMENT = Map.of("DISCORD_BOT_TOKEN", TOKEN);

    private DiscordTesting() {}

    static FakeGateway gateway() {
        return new FakeGateway(Platform.DISCORD, Map.of("answer_timeout", "5", "allow", "*"), ENVIRONMENT);
    }

    static ChatPlatform platform(FakeGateway gateway, FakeDiscord discord, Path home, Map<String, String> values) {
        Map<String, String> all =
                new HashMap<>(Map.of("base_url", discord.address().toString()));
        all.putAll(values);
        return new DiscordProvider().create(gateway.settings(home, all));
    }
}
