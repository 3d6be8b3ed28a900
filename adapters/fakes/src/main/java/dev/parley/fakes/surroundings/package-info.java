/** Those around a gateway while it is tried: people who talk, a model, and platforms, each with moods. */
@NullMarked
package dev.parley.fakes.surroundings;

import org.jspecify.annotations.NullMarked;
