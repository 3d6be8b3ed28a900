/**
 * Guards around foreign code: what it throws is told to the operator, and its caller goes on. What may hang is called by a task of its own,
 * with a deadline.
 *
 * <p>Not part of the API: it may change with any version.
 */
@NullMarked
package dev.parley.application.guard;

import org.jspecify.annotations.NullMarked;
