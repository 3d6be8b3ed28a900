package dev.parley.contracts.storage;

/** Everything a store must do. */
public interface StorageContract
        extends LedgerContract,
                LanesContract,
                SessionsContract,
                TranscriptsContract,
                TurnQueueContract,
                PagesContract,
                MetaContract,
                ValuesContract,
                CapabilitiesContract,
                StorageMaintenanceContract,
                TranscriptSearchContract,
                JournalContract,
                DurabilityContract,
                PowerContract,
                ConcurrencyContract,
                RaceContract,
                PrivacyContract,
                RandomRunContract {}
