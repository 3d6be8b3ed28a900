package dev.parley.bootstrap.architecture.circle;

/** Made up, so that the rule against circles has one to find. */
public record Hen(Egg lays) {}
