/** WhatsApp for personal accounts. */
@NullMarked
package dev.parley.adapter.whatsapp;

import org.jspecify.annotations.NullMarked;
