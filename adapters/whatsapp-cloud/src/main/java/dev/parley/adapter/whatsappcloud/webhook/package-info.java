/** The address that Meta posts to. */
@NullMarked
package dev.parley.adapter.whatsappcloud.webhook;

import org.jspecify.annotations.NullMarked;
