/** WhatsApp as far as numbers on Meta's Cloud API see it. */
@NullMarked
package dev.parley.fakes.whatsapp;

import org.jspecify.annotations.NullMarked;
