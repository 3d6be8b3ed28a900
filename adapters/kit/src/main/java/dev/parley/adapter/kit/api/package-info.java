/** Calls of a platform's API that tell what was not sent from what is not known. */
@NullMarked
package dev.parley.adapter.kit.api;

import org.jspecify.annotations.NullMarked;
