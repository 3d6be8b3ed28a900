/** Finding messages by their text: what is done to a query, which index answers it, and how hits are shown (storage 5). */
@NullMarked
package dev.parley.persistence.sqlite.search;

import org.jspecify.annotations.NullMarked;
