/** Session files: their names, their lines, and how they are read (storage 7). */
@NullMarked
package dev.parley.persistence.jsonl.file;

import org.jspecify.annotations.NullMarked;
