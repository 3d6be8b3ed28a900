/** The agent {@code openai}: chat completions of any OpenAI-compatible server. */
@NullMarked
package dev.parley.adapter.openai;

import org.jspecify.annotations.NullMarked;
