/**
 * What platforms do alike: receipts settled in order, rates kept, what a start makes and a stop ends.
 *
 * <p>Not part of the API: it may change with any version.
 */
@NullMarked
package dev.parley.adapter.kit.flow;

import org.jspecify.annotations.NullMarked;
