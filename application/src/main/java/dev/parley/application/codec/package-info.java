/** The bytes of batches, for stores that keep them as they are. */
@NullMarked
package dev.parley.application.codec;

import org.jspecify.annotations.NullMarked;
