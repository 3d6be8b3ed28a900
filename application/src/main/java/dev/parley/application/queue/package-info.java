/** What orders the gateway's work: one task at a time per lane, batches in sequence, follow-ups merged into items. */
@NullMarked
package dev.parley.application.queue;

import org.jspecify.annotations.NullMarked;
