/** The configuration: read, checked as a whole, coerced, and turned into typed records before anything is wired. */
@NullMarked
package dev.parley.bootstrap.config;

import org.jspecify.annotations.NullMarked;
