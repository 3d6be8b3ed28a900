/** What is sent. */
@NullMarked
package dev.parley.adapter.whatsapp.outbound;

import org.jspecify.annotations.NullMarked;
