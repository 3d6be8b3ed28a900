/** The home directory: its files, its lock and its markers. */
@NullMarked
package dev.parley.bootstrap.home;

import org.jspecify.annotations.NullMarked;
