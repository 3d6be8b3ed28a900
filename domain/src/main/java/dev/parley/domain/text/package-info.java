/** Text as such: one line shown to people and models, cut by code points, and JSON that is carried unchanged. */
@NullMarked
package dev.parley.domain.text;

import org.jspecify.annotations.NullMarked;
