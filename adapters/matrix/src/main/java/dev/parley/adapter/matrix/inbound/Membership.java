package dev.parley.adapter.matrix.inbound;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.adapter.kit.api.ApiFailure;
import dev.parley.adapter.kit.flow.ChatOrder.Settlement;
import dev.parley.adapter.matrix.api.Account;
import dev.parley.adapter.matrix.api.MatrixApi;
import dev.parley.adapter.matrix.api.MatrixError;
import dev.parley.application.port.Cursors;
import dev.parley.application.port.ParleyException;
import dev.parley.domain.source.CursorName;
import dev.parley.domain.source.Platform;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/**
 * What the account does by itself: joins rooms, notes which are direct, and says once in each room that it cannot read encrypted
 * messages. Each may be done twice without harm, and is tried again until the homeserver has done it or refuses it.
 */
final class Membership {
    private static final Duration AGAIN = Duration.ofSeconds(3);
    private static final String TELLS =
            "I cannot read encrypted messages. Please write to me in a room that is not encrypted.";

    private final MatrixApi api;
    private final Account account;
    private final Rooms rooms;
    private final Cursors cursors;
    private final Consumer<String> warnings;
    private final Executor executor;

    Membership(
            MatrixApi api,
            Account account,
            Rooms rooms,
            Cursors cursors,
            Consumer<String> warnings,
            Executor executor) {
        this.api = api;
        this.account = account;
        this.rooms = rooms;
        this.cursors = cursors;
        this.warnings = warnings;
        this.executor = executor;
    }

    private interface Call {
        void make() throws MatrixError, ApiFailure, InterruptedException;
    }

    /** Takes an invitation. That a room is direct is noted first: once the room is joined the homeserver no longer says so. */
    CompletionStage<Settlement> accept(String room, Optional<String> directWith) {
        return attempt("The room " + room + " could not be joined", () -> {
            if (directWith.isPresent()) {
                rooms.markDirect(room, directWith.get());
                putDirect();
            }
            api.post("join", MatrixApi.path("client/v3/rooms/{}/join", room), Map.of(), Map.of());
        });
    }

    /** Notes at the homeserver which rooms are direct. */
    CompletionStage<Settlement> noteDirect(String room, String with) {
        rooms.markDirect(room, with);
        return attempt("The room " + room + " could not be noted as a direct one", this::putDirect);
    }

    /** Follows a room that has become another. */
    CompletionStage<Settlement> follow(String room, String to, String via) {
        return attempt("The room " + to + ", which " + room + " has become, could not be joined", () -> {
            rooms.moved(room, to);
            Optional<String> person = rooms.directWith(room);
            if (person.isPresent() && rooms.markDirect(to, person.get())) {
                putDirect();
            }
            api.post("join", MatrixApi.path("client/v3/join/{}", to), Map.of("server_name", via), Map.of());
        });
    }

    /** Says in a room, once, that the bot cannot read it. */
    CompletionStage<Settlement> tellEncrypted(String room) {
        CursorName told = new CursorName(Platform.MATRIX, account.userId(), "told of encryption " + room);
        try {
            if (cursors.get(told).isPresent()) {
                return CompletableFuture.completedFuture(Settlement.DONE);
            }
        } catch (ParleyException unknown) {
            return CompletableFuture.completedFuture(Settlement.later(AGAIN));
        }
        return attempt("In the encrypted room " + room + " nothing could be said", () -> {
                    String path = MatrixApi.path(
                            "client/v3/rooms/{}/send/m.room.message/{}", room, "parley-cannot-read-encrypted");
                    api.put("send", path, Map.of("msgtype", "m.notice", "body", TELLS));
                })
                .thenApply(settlement -> {
                    if (settlement.again().isEmpty()) {
                        cursors.put(told, "yes");
                    }
                    return settlement;
                });
    }

    private void putDirect() throws MatrixError, ApiFailure, InterruptedException {
        JsonNode content = rooms.directContent();
        api.put("account_data", MatrixApi.path("client/v3/user/{}/account_data/m.direct", account.userId()), content);
    }

    private CompletionStage<Settlement> attempt(String refused, Call call) {
        return CompletableFuture.supplyAsync(
                () -> {
                    try {
                        call.make();
                        return Settlement.DONE;
                    } catch (MatrixError e) {
                        if (e.isPassing()) {
                            return Settlement.later(e.retryAfter().orElse(AGAIN));
                        }
                        warnings.accept(refused + ": " + e.getMessage() + ".");
                        return Settlement.DONE;
                    } catch (ApiFailure e) {
                        return Settlement.later(AGAIN);
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                        return Settlement.later(AGAIN);
                    }
                },
                executor);
    }
}
