/** JSON as the command line reads and writes it. */
@NullMarked
package dev.parley.bootstrap.json;

import org.jspecify.annotations.NullMarked;
