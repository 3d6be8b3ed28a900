/**
 * Stored things as rows for people and scripts: the names and shapes that the command line and HTTP share.
 *
 * <p>Not part of the API: it may change with any version.
 */
@NullMarked
package dev.parley.application.view;

import org.jspecify.annotations.NullMarked;
