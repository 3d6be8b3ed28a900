package dev.parley.application.port;

import dev.parley.domain.key.AliasLookup;

/** Looks up which identifiers a platform's bridge knows as the same person (K5.17). Unreadable mappings count as none. */
public interface IdentityAliases extends AliasLookup {}
