package dev.parley.application.command;

import dev.parley.application.spi.Storage;
import dev.parley.application.store.LaneReader;

/**
 * What a command reads from; it never commits.
 *
 * @param storage the store
 * @param reader gathers what a decision about the lane stands on
 */
public record Stores(Storage storage, LaneReader reader) {}
