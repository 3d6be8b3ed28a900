/**
 * What a store must do. A backend's test class implements {@link dev.parley.contracts.storage.StorageContract}, or single
 * contracts of it, and hands over a harness.
 */
@NullMarked
package dev.parley.contracts.storage;

import org.jspecify.annotations.NullMarked;
