/** What Meta's posts say, and how it is handed in. */
@NullMarked
package dev.parley.adapter.whatsappcloud.inbound;

import org.jspecify.annotations.NullMarked;
