/** Moves sessions between stores: whole copies, and exports and imports of chosen sessions. */
@NullMarked
package dev.parley.application.transfer;

import org.jspecify.annotations.NullMarked;
