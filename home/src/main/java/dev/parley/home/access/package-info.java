/** Who may talk: lists, and people on no list who get a code that the operator approves. */
@NullMarked
package dev.parley.home.access;

import org.jspecify.annotations.NullMarked;
