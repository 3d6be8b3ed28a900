package dev.parley.bootstrap.cli;

import dev.parley.application.port.ParleyException;
import dev.parley.application.port.StorageCorrupt;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.application.spi.Storage;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Says what is stored where, and how the storage is. */
@Command(name = "status", description = "say what is stored where, and in which format")
final class StorageStatusCommand implements Callable<Integer> {
    private final StorageCommand group;

    @Mixin
    private final JsonOption json = new JsonOption();

    StorageStatusCommand(StorageCommand group) {
        this.group = group;
    }

    @Override
    public Integer call() {
        Map<String, String> status = new LinkedHashMap<>();
        Optional<ParleyException> failure = Optional.empty();
        try (Storage storage = group.look()) {
            status.put("location", storage.location());
            status.putAll(storage.maintenance().status());
        } catch (Workplace.HeldByGateway held) {
            Optional<Integer> told = group.workplace()
                    .askGateway(
                            json.isWanted() ? List.of("storage", "status", "--json") : List.of("storage", "status"));
            if (told.isPresent()) {
                return told.get();
            }
            failure = Optional.of(held.why());
        } catch (StorageUnavailable | StorageCorrupt e) {
            failure = Optional.of(e);
        }
        if (group.database().isEmpty()) {
            fallback(status);
        }
        if (!status.isEmpty()) {
            print(status);
        }
        if (failure.isPresent()) {
            throw failure.get();
        }
        return ExitCode.DONE.code();
    }

    /** What the fallback holds and the running gateway says, whether or not the storage itself can be read. */
    private void fallback(Map<String, String> status) {
        Workplace w = group.workplace();
        w.gatewayHealth()
                .ifPresent(health -> health.ofStorage().forEach((name, value) -> status.put("gateway_" + name, value)));
        w.configuration().storage().fallback().ifPresent(address -> {
            status.put("fallback", address);
            status.put("waiting_batches", Long.toString(w.waitingBatches(address)));
        });
    }

    private void print(Map<String, String> status) {
        Workplace w = group.workplace();
        if (json.isWanted()) {
            w.json(status);
        } else {
            Table table = new Table("WHAT", "VALUE");
            status.forEach(table::row);
            table.print(w.out());
        }
    }
}
