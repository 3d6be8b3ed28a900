/** Two classes that need each other. */
@NullMarked
package dev.parley.bootstrap.architecture.circle;

import org.jspecify.annotations.NullMarked;
