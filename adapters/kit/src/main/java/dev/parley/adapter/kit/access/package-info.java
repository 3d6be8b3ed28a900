/**
 * Which messages of a group are for the agent.
 *
 * <p>Not part of the API: it may change with any version.
 */
@NullMarked
package dev.parley.adapter.kit.access;

import org.jspecify.annotations.NullMarked;
