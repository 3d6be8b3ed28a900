package dev.parley.bootstrap.chaos;

import dev.parley.application.spi.Storage;
import dev.parley.bootstrap.process.ParleyProcess;
import dev.parley.fakes.chaos.Ability;
import dev.parley.fakes.chaos.Around;
import dev.parley.fakes.chaos.Program;
import java.io.IOException;
import java.nio.file.Files;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** The distribution with SQLite, as the launcher starts it. */
final class OurProgram implements Program {
    @Override
    public ProcessBuilder start(Around around) throws IOException {
        Around.Bot telegram = around.telegram().orElseThrow();
        Around.App slack = around.slack().orElseThrow();
        Files.writeString(around.home().resolve("parley.yaml"), """
                zone: Etc/UTC
                session_reset:
                  mode: none
                agent:
                  provider: openai
                  restart_drain_timeout: 1
                agents:
                  openai:
                    base_url: %s
                    model: chaos
                    timeout: 2
                    retries: 0
                gateway:
                  max_pending: 1000
                display:
                  busy_input_mode: %s
                storage:
                  url: sqlite:%s
                  busy_patience: 1
                platforms:
                  http:
                    port: 0
                    callback_url: %s
                    bridge_tokens:
                      matrix: %s
                  telegram:
                    enabled: true
                    markdown: false
                    base_url: %s
                    allow: [%s]
                  slack:
                    enabled: true
                    markdown: false
                    base_url: %s
                    allow: [%s]
                """.formatted(
                        around.model(),
                        around.busy().name().toLowerCase(Locale.ROOT),
                        around.sqlite(),
                        around.callback(),
                        around.bridgeToken(),
                        telegram.url(),
                        quoted(telegram.people()),
                        slack.url(),
                        quoted(slack.people())));
        ProcessBuilder builder = ParleyProcess.gatewayIn(around.home());
        builder.environment()
                .putAll(Map.of(
                        "PARLEY_LOG",
                        "INFO",
                        "TELEGRAM_BOT_TOKEN",
                        telegram.token(),
                        "SLACK_BOT_TOKEN",
                        slack.botToken(),
                        "SLACK_APP_TOKEN",
                        slack.appToken()));
        return builder;
    }

    private static String quoted(List<String> people) {
        return people.stream().map(person -> "\"" + person + "\"").collect(Collectors.joining(", "));
    }

    @Override
    public Storage stored(Around around) {
        return around.read("sqlite:" + around.sqlite());
    }

    @Override
    public Set<Ability> abilities() {
        return EnumSet.allOf(Ability.class);
    }
}
