/** Calls of Meta's Graph API for one phone number. */
@NullMarked
package dev.parley.adapter.whatsappcloud.api;

import org.jspecify.annotations.NullMarked;
