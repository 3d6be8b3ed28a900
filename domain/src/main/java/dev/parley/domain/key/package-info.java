/** Which lane a message belongs to: the session key, its isolation rules and its canonical identifiers. */
@NullMarked
package dev.parley.domain.key;

import org.jspecify.annotations.NullMarked;
