/** Measurements, each as a ratio to something plain measured in the same run. */
@NullMarked
package dev.parley.benchmarks;

import org.jspecify.annotations.NullMarked;
