/** Titles of sessions: how they are cleaned, and how those of one lineage are numbered and found. */
@NullMarked
package dev.parley.domain.title;

import org.jspecify.annotations.NullMarked;
