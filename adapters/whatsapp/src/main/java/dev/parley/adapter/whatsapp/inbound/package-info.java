/** What people write. */
@NullMarked
package dev.parley.adapter.whatsapp.inbound;

import org.jspecify.annotations.NullMarked;
