package dev.parley.persistence.sqlite;

import dev.parley.application.spi.Storage;
import dev.parley.application.spi.StorageMaintenance.Arrangement;
import java.nio.file.Path;

/** A process that converts a database, and prints a line for each step. */
public final class ConvertInProcess {
    private ConvertInProcess() {}

    /** Gives the file named first the form named second. */
    public static void main(String[] args) {
        try (Storage storage = Stores.write(Path.of(args[0]))) {
            System.out.println("open");
            storage.maintenance().arrange(Arrangement.valueOf(args[1]), (rows, total) -> System.out.println(rows));
            storage.maintenance().repair((rows, total) -> System.out.println(rows));
        }
    }
}
