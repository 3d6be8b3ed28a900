package dev.parley.contracts.storage;

import dev.parley.application.port.StorageUnavailable;
import dev.parley.application.spi.Storage;
import dev.parley.application.spi.StorageProvider;
import dev.parley.application.spi.StorageSettings;
import dev.parley.domain.change.Batch;
import dev.parley.domain.change.BatchId;
import dev.parley.domain.change.Change;
import dev.parley.domain.transcript.Message;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A process that writes to a store until it is killed, and tells on standard output what was committed. Started by the kit: the
 * arguments are the provider's class, the address, the home, the writer's name and the number of batches.
 */
public final class KillableWriter {
    /** How many messages each batch appends; all of them are stored, or none is. */
    static final int MESSAGES = 5;

    private KillableWriter() {}

    /** Writes, telling {@code ready} once the store is open, {@code done N} behind each batch, {@code refused} where it may not. */
    public static void main(String[] arguments) throws Exception {
        StorageProvider provider = Class.forName(arguments[0])
                .asSubclass(StorageProvider.class)
                .getDeclaredConstructor()
                .newInstance();
        StorageSettings settings =
                ProviderHarness.settings(arguments[1], Path.of(arguments[2]), StorageSettings.Mode.READ_WRITE);
        try (Storage storage = provider.open(settings)) {
            tell("ready");
            for (long number = 1; number <= Long.parseLong(arguments[4]); number++) {
                storage.ledger().commit(batch(arguments[3], number));
                tell("done " + number);
            }
        } catch (StorageUnavailable e) {
            tell("refused: " + e.getMessage());
        }
    }

    /** The batch with this number: a session with messages, a lane, an event, a named value. */
    static Batch batch(String writer, long number) {
        String name = writer + "-" + number;
        List<Message> messages = new ArrayList<>();
        for (int i = 0; i < MESSAGES; i++) {
            messages.add(Samples.user(name + "-" + i, "text " + i + " of " + name));
        }
        return new Batch(
                new BatchId(writer, number),
                List.of(),
                List.of(
                        Samples.created(name),
                        new Change.AppendMessages(Samples.id(name), messages),
                        Samples.put(Samples.lane(writer, name, number)),
                        new Change.AppendHistory(Samples.event(writer, number, name)),
                        new Change.PutMeta(writer, Long.toString(number))));
    }

    private static void tell(String line) {
        System.out.println(line);
        System.out.flush();
    }
}
