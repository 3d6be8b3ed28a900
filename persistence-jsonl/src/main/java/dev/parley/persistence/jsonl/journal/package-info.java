/** Files that are appended to durably and read back up to the last line that was written whole. */
@NullMarked
package dev.parley.persistence.jsonl.journal;

import org.jspecify.annotations.NullMarked;
