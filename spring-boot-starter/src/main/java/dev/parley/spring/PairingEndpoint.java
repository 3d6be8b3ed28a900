package dev.parley.spring;

import dev.parley.domain.source.Platform;
import dev.parley.home.access.Pairing;
import dev.parley.home.access.Person;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;

/** The people of {@code parley.platforms.NAME.pairing}: who waits, who was let in, and letting in by the code they were given. */
@Endpoint(id = "pairing")
public class PairingEndpoint {
    private final Pairing pairing;

    PairingEndpoint(Pairing pairing) {
        this.pairing = pairing;
    }

    /** Returns who waits and who was let in, in that order each; never a code. */
    @ReadOperation
    public Map<String, List<Map<String, String>>> people() {
        Map<String, List<Map<String, String>>> people = new LinkedHashMap<>();
        people.put(
                "waiting",
                pairing.pending().stream()
                        .map(each -> row(each.who(), each.askedAt()))
                        .toList());
        people.put(
                "letIn",
                pairing.paired().stream()
                        .map(each -> row(each.who(), each.at()))
                        .toList());
        return people;
    }

    private static Map<String, String> row(Person who, Instant since) {
        Map<String, String> row = new LinkedHashMap<>();
        row.put("platform", who.platform().name());
        row.put("user", who.user());
        who.name().ifPresent(name -> row.put("name", name));
        row.put("since", since.toString());
        return row;
    }

    /** Lets in whoever was given a code on a platform; returns what became of it. */
    @WriteOperation
    public Map<String, String> approve(@Selector String platform, String code) {
        Pairing.Approval approval = pairing.approve(Platform.of(platform), code.strip());
        if (approval instanceof Pairing.Approval.LetIn in) {
            return Map.of("letIn", in.who().user());
        }
        return approval instanceof Pairing.Approval.Locked locked
                ? Map.of(
                        "refused",
                        "too many wrong codes",
                        "until",
                        locked.until().toString())
                : Map.of("refused", "nobody waits with this code");
    }

    /** Lets somebody in no longer; returns false where nothing is known of them. */
    @DeleteOperation
    public boolean revoke(@Selector String platform, @Selector String user) {
        return pairing.revoke(Platform.of(platform), user);
    }
}
