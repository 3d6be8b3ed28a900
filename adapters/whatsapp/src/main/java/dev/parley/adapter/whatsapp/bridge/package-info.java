/** The bridge's process: where it is, how it is kept running, what it says. */
@NullMarked
package dev.parley.adapter.whatsapp.bridge;

import org.jspecify.annotations.NullMarked;
