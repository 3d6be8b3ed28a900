/** A gateway as a platform sees it. */
@NullMarked
package dev.parley.fakes.gateway;

import org.jspecify.annotations.NullMarked;
