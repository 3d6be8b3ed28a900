/**
 * Order and pace: receipts settled in order, rates kept.
 *
 * <p>Not part of the API: it may change with any version.
 */
@NullMarked
package dev.parley.adapter.kit.flow;

import org.jspecify.annotations.NullMarked;
