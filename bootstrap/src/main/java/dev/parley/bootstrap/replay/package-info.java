/** Scenarios as files: reads them, prints their outcomes, and compares these with expectations. */
@NullMarked
package dev.parley.bootstrap.replay;

import org.jspecify.annotations.NullMarked;
