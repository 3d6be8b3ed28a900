/** The JSONL backend: session files as people and other programs read them, kept right by a journal of batches. */
@NullMarked
package dev.parley.persistence.jsonl;

import org.jspecify.annotations.NullMarked;
