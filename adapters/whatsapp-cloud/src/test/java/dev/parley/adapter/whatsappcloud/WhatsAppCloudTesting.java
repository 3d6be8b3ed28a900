package dev.parley.adapter.whatsappcloud;

import dev.parley.application.port.ChatPlatform;
import dev.parley.domain.source.Platform;
import dev.parley.fakes.gateway.FakeGateway;
import dev.parley.fakes.whatsapp.FakeWhatsApp;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** What the tests of the WhatsApp number share. */
final class WhatsAppCloudTesting {
    static final String TOKEN = "EAA-token-of-whatsapp";
    static final String SECRET = "secret-of-the-app";
    static final String VERIFY = "verify-word";
    static final String NUMBER = "106540352242922";
    static final String ADA = "491510000001";
    static final String BOB = "491510000002";
    static final Map<String, String> ENVIRONMENT = Map.of(
            "WHATSAPP_CLOUD_ACCESS_TOKEN", TOKEN,
            "WHATSAPP_CLOUD_APP_SECRET", SECRET,
            "WHATSAPP_CLOUD_VERIFY_TOKEN", VERIFY);

    private WhatsAppCloudTesting() {}

    static FakeGateway gateway() {
        return new FakeGateway(
                Platform.WHATSAPP_CLOUD,
                Map.of("phone_number_id", NUMBER, "port", "0", "answer_timeout", "60"),
                ENVIRONMENT);
    }

    static FakeWhatsApp whatsapp(FakeGateway gateway) {
        FakeWhatsApp whatsapp = new FakeWhatsApp(TOKEN, SECRET, NUMBER, gateway::now);
        whatsapp.person(ADA, "Ada");
        whatsapp.person(BOB, "Bob");
        return whatsapp;
    }

    static ChatPlatform platform(FakeGateway gateway, FakeWhatsApp whatsapp, Path home, Map<String, String> values) {
        Map<String, String> all =
                new HashMap<>(Map.of("base_url", whatsapp.address().toString()));
        all.putAll(values);
        return new WhatsAppCloudProvider().create(gateway.settings(home, all));
    }
}
