/** Guards around foreign code: whatever it throws is told to the operator, and whoever called it goes on. */
@NullMarked
package dev.parley.application.guard;

import org.jspecify.annotations.NullMarked;
