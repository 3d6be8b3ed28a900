/** Models and tools of LangChain4j as agents: {@link dev.parley.adapter.langchain4j.LangChainAgents}. */
@NullMarked
package dev.parley.adapter.langchain4j;

import org.jspecify.annotations.NullMarked;
