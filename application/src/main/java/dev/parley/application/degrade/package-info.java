/**
 * Keeps a gateway going while its storage cannot be used: a primary and a fallback composed through the ports alone, and the way
 * back (commit rules 9 and 10).
 */
@NullMarked
package dev.parley.application.degrade;

import org.jspecify.annotations.NullMarked;
