/** The lanes as {@code sessions/sessions.json}, for programs outside that read them there (E2.4–E2.13). */
@NullMarked
package dev.parley.persistence.sqlite.mirror;

import org.jspecify.annotations.NullMarked;
