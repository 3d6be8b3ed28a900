/**
 * Texts for people: styled text, its reading from Markdown, its cutting to a platform's length, its dialects.
 *
 * <p>Not part of the API: it may change with any version.
 */
@NullMarked
package dev.parley.adapter.kit.text;

import org.jspecify.annotations.NullMarked;
