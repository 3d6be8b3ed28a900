package dev.parley.bootstrap.cli;

import dev.parley.domain.source.Platform;
import dev.parley.domain.text.OneLine;
import dev.parley.home.access.Pairing;
import dev.parley.home.access.Person;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;

/** Lets people in who are on no list. Works whether a gateway runs on the home or not. */
@Command(name = "pairing", description = "let in people who asked, list them, let them in no longer")
final class PairingCommand extends CommandGroup {
    PairingCommand(ParleyCommand root) {
        super(root);
    }

    @Override
    public List<Object> commands() {
        return List.of(new PairingListCommand(this), new PairingApproveCommand(this), new PairingRevokeCommand(this));
    }

    /** Returns who waits and who was let in, to be changed: the home is made where there is none. */
    Pairing pairing() {
        workplace().home().create();
        return known();
    }

    /** Returns who waits and who was let in, to be read: nobody where there is no home. */
    Pairing known() {
        Workplace w = workplace();
        return new Pairing(w.home(), w.around().clock());
    }

    /** Returns the platform of that name, which need not have an adapter here. */
    static Platform platform(String name) {
        return Platform.of(name);
    }

    static String shown(Person who) {
        return who.name()
                .map(name -> OneLine.of(name, 60) + " (" + who.user() + ")")
                .orElse(who.user());
    }

    static Map<String, Object> row(Person who, String state) {
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("platform", who.platform().name());
        row.put("user", who.user());
        who.name().ifPresent(name -> row.put("name", name));
        row.put("state", state);
        return row;
    }
}
