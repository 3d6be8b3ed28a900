/** The agent {@code echo}: answers with what it was told, without a network. */
@NullMarked
package dev.parley.adapter.echo;

import org.jspecify.annotations.NullMarked;
