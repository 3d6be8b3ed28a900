/**
 * Spring AI and Parley: agents of a chat client ({@link dev.parley.adapter.springai.SpringAiAgents}), and a chat memory on transcripts
 * ({@link dev.parley.adapter.springai.TranscriptChatMemory}).
 */
@NullMarked
package dev.parley.adapter.springai;

import org.jspecify.annotations.NullMarked;
