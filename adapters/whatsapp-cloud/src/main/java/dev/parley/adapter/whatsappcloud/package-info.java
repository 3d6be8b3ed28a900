/** The platform {@code whatsapp_cloud}. */
@NullMarked
package dev.parley.adapter.whatsappcloud;

import org.jspecify.annotations.NullMarked;
