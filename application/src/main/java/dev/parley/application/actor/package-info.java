/** What orders work: one task at a time per actor, whatever a task throws, and batches in sequence. */
@NullMarked
package dev.parley.application.actor;

import org.jspecify.annotations.NullMarked;
