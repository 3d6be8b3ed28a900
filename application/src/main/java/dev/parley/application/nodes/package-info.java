/** The gateway as one of several that share a store: its life, the lanes it holds, and what it may do with them. */
@NullMarked
package dev.parley.application.nodes;

import org.jspecify.annotations.NullMarked;
