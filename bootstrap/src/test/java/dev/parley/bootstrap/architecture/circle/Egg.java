package dev.parley.bootstrap.architecture.circle;

import java.util.Optional;

/** Made up, so that the rule against circles has one to find. */
public record Egg(Optional<Hen> becomes) {}
