package dev.parley.adapter.matrix;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

/** What the bot does on Synapse, a homeserver that nobody here wrote: {@code .ci/synapse DIRECTORY mvn …} starts one. */
@EnabledIfEnvironmentVariable(
        named = "TEST_SYNAPSE",
        matches = "http://.+",
        disabledReason = "no Synapse: .ci/synapse starts one and names its address in TEST_SYNAPSE")
class OnSynapseTest extends HomeserverCases {
    private static final String SECRET = "test-secret";

    private final URI base = URI.create(System.getenv().getOrDefault("TEST_SYNAPSE", "http://127.0.0.1:1"));

    @Override
    Person register(String localpart) {
        String name = localpart + "-" + Long.toHexString(System.nanoTime());
        String nonce = Person.call(base, "GET", "_synapse/admin/v1/register", "none", Person.JSON.createObjectNode())
                .path("nonce")
                .asText();
        ObjectNode wish = Person.JSON
                .createObjectNode()
                .put("nonce", nonce)
                .put("username", name)
                .put("password", "password")
                .put("admin", false)
                .put("mac", mac(String.join("\0", nonce, name, "password", "notadmin")));
        JsonNode made = Person.call(base, "POST", "_synapse/admin/v1/register", "none", wish);
        return new Person(
                base, made.path("user_id").asText(), made.path("access_token").asText());
    }

    private static String mac(String text) {
        try {
            Mac mac = Mac.getInstance("HmacSHA1");
            mac.init(new SecretKeySpec(SECRET.getBytes(StandardCharsets.UTF_8), "HmacSHA1"));
            return HexFormat.of().formatHex(mac.doFinal(text.getBytes(StandardCharsets.UTF_8)));
        } catch (GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }
}
