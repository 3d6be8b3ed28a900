/** When a lane's session ends by itself: policies, their look-up, the reasons, and the notice to the user. */
@NullMarked
package dev.parley.domain.reset;

import org.jspecify.annotations.NullMarked;
