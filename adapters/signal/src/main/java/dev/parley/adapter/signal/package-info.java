/** An account in Signal as a platform. */
@NullMarked
package dev.parley.adapter.signal;

import org.jspecify.annotations.NullMarked;
