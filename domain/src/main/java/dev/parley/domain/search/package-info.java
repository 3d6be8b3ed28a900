/** What a search query means: cleaning it, reading it as terms, and choosing how text is compared. */
@NullMarked
package dev.parley.domain.search;

import org.jspecify.annotations.NullMarked;
