package dev.parley.adapter.slack;

import dev.parley.application.port.ChatPlatform;
import dev.parley.domain.source.Platform;
import dev.parley.fakes.gateway.FakeGateway;
import dev.parley.fakes.slack.FakeSlack;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** What the tests of the Slack app share. */
final class SlackTesting {
    static final String BOT_TOKEN = "xoxb-slack-secret";
    static final String APP_TOKEN = "xapp-slack-secret";
    static final Map<String, String> ENVIRONMENT = Map.of("SLACK_BOT_TOKEN", BOT_TOKEN, "SLACK_APP_TOKEN", APP_TOKEN);

    private SlackTesting() {}

    static FakeGateway gateway() {
        return new FakeGateway(Platform.SLACK, Map.of("answer_timeout", "5", "allow", "*"), ENVIRONMENT);
    }

    static ChatPlatform platform(FakeGateway gateway, FakeSlack slack, Path home, Map<String, String> values) {
        Map<String, String> all =
                new HashMap<>(Map.of("base_url", slack.address().toString()));
        all.putAll(values);
        return new SlackProvider().create(gateway.settings(home, all));
    }
}
