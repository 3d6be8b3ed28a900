/** The console in a real browser, shown by the program as it runs. */
@NullMarked
package dev.parley.browser;

import org.jspecify.annotations.NullMarked;
