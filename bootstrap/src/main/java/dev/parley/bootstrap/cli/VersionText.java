package dev.parley.bootstrap.cli;

import java.lang.module.ModuleDescriptor;
import java.util.Optional;
import picocli.CommandLine.IVersionProvider;

/** The program's version. */
final class VersionText implements IVersionProvider {
    @Override
    public String[] getVersion() {
        String version = Optional.ofNullable(VersionText.class.getPackage().getImplementationVersion())
                .or(() -> Optional.ofNullable(VersionText.class.getModule().getDescriptor())
                        .flatMap(ModuleDescriptor::rawVersion))
                .orElse("(unpacked build)");
        return new String[] {"parley " + version};
    }
}
