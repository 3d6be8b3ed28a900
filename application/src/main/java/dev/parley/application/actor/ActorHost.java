package dev.parley.application.actor;

import dev.parley.application.port.GatewayEvents;
import dev.parley.application.port.Ledger;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;

/**
 * What the actors of one gateway run on. Safe for concurrent use.
 *
 * @param executor runs their tasks
 * @param ledger stores their batches
 * @param writers numbers their batches
 * @param timing time and chance
 * @param events told of failures; throws nothing
 * @param over whether the gateway has ended: then tasks are taken and not run
 */
public record ActorHost(
        Executor executor, Ledger ledger, Writers writers, Timing timing, GatewayEvents events, BooleanSupplier over) {}
