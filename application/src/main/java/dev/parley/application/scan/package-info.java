/**
 * Reads for a store that can only hand out its rows: lanes, the queue, sessions, transcripts and search by looking at each of them. A
 * backend begins with these and replaces them where its engine knows better.
 */
@NullMarked
package dev.parley.application.scan;

import org.jspecify.annotations.NullMarked;
