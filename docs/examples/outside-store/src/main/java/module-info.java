/** Keeps Parley's conversations in one append-only log of batches. */
module org.example.batchlog {
    requires dev.parley.application;

    provides dev.parley.application.spi.StorageProvider with
            org.example.batchlog.BatchLogProvider;
}
