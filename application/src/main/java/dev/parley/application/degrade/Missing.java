package dev.parley.application.degrade;

import dev.parley.application.spi.Storage;
import dev.parley.domain.turn.Inbound;
import dev.parley.domain.turn.PlatformMessage;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * What a store lacks that was acknowledged: an older copy was put in its place, or a file was removed, of it or of the
 * fallback. Nobody can bring that back, but it is told, by name.
 */
final class Missing {
    /** So many messages, the newest that are known, are looked for. */
    static final int LOOKED_FOR = 200;

    private static final int NAMED = 5;

    private Missing() {}

    /** Returns what to tell the operator; absent where everything is there. */
    static Optional<String> in(Storage storage, List<Inbound> known) {
        List<Inbound> missing = known.stream()
                .filter(inbound -> inbound.platformMessage().isPresent())
                .filter(inbound -> inbound.platformMessage()
                        .flatMap(storage.queue()::received)
                        .isEmpty())
                .toList();
        if (missing.isEmpty()) {
            return Optional.empty();
        }
        String names = missing.stream()
                .limit(NAMED)
                .flatMap(inbound -> inbound.platformMessage().stream())
                .map(Missing::name)
                .collect(Collectors.joining(", "));
        String more = missing.size() > NAMED ? " and " + (missing.size() - NAMED) + " more" : "";
        return Optional.of(missing.size() + " of the last " + known.size()
                + " messages that were received are not in " + storage.location() + ": " + names + more
                + ". They were stored, so an older copy was put in its place, or a file of it or of the fallback was removed or"
                + " emptied. If you have the newer files, stop the gateway and put them back.");
    }

    private static String name(PlatformMessage message) {
        return message.platform().name() + " chat " + message.chatId() + " message " + message.messageId();
    }
}
