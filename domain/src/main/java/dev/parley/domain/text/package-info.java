/** Text shown to people and models: one line, cut by code points. */
@NullMarked
package dev.parley.domain.text;

import org.jspecify.annotations.NullMarked;
