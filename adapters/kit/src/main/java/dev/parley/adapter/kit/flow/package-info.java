/** Order and pace: receipts settled in order, rates kept. */
@NullMarked
package dev.parley.adapter.kit.flow;

import org.jspecify.annotations.NullMarked;
