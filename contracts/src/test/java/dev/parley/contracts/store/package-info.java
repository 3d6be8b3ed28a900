/** Tests of the application's use cases on the reference store. */
@NullMarked
package dev.parley.contracts.store;

import org.jspecify.annotations.NullMarked;
