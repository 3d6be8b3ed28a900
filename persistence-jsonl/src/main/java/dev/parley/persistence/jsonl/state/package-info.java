/** What an open store holds in memory, how changes alter it, and how it is written down and found again. */
@NullMarked
package dev.parley.persistence.jsonl.state;

import org.jspecify.annotations.NullMarked;
