/** Which messages of a group are for the agent. */
@NullMarked
package dev.parley.adapter.kit.access;

import org.jspecify.annotations.NullMarked;
