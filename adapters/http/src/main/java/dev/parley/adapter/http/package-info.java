/** How other programs reach a running gateway. */
@NullMarked
package dev.parley.adapter.http;

import org.jspecify.annotations.NullMarked;
