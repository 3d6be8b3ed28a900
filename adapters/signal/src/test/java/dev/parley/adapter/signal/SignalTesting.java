package dev.parley.adapter.signal;

import dev.parley.application.port.ChatPlatform;
import dev.parley.domain.source.Platform;
import dev.parley.fakes.gateway.FakeGateway;
import dev.parley.fakes.signal.FakeSignal;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** What the tests of the account share. */
final class SignalTesting {
    static final String ACCOUNT = "+15550100";
    static final String ADA = "+15550101";
    static final String ADAS_UUID = "6a5b8ed8-8f21-4b4a-9a3f-000000000001";

    private SignalTesting() {}

    static FakeGateway gateway() {
        return new FakeGateway(Platform.of("signal"), Map.of("account", ACCOUNT), Map.of());
    }

    static FakeSignal signal(FakeGateway gateway) {
        FakeSignal signal = new FakeSignal(ACCOUNT, gateway::now);
        signal.person(ADA, ADAS_UUID, "Ada");
        return signal;
    }

    static ChatPlatform platform(FakeGateway gateway, FakeSignal signal, Path home, Map<String, String> values) {
        Map<String, String> all =
                new HashMap<>(Map.of("base_url", signal.address().toString()));
        all.putAll(values);
        return new SignalProvider().create(gateway.settings(home, all));
    }
}
