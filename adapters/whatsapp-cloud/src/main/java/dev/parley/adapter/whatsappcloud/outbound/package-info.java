/** What is sent, and how. */
@NullMarked
package dev.parley.adapter.whatsappcloud.outbound;

import org.jspecify.annotations.NullMarked;
