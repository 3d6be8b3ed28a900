package dev.parley.bootstrap.cli;

import java.util.Optional;
import picocli.CommandLine.IVersionProvider;

/** The program's version. */
final class VersionText implements IVersionProvider {
    @Override
    public String[] getVersion() {
        String version = Optional.ofNullable(VersionText.class.getPackage().getImplementationVersion())
                .or(() -> VersionText.class.getModule().getDescriptor().rawVersion())
                .orElse("(unpacked build)");
        return new String[] {"parley " + version};
    }
}
