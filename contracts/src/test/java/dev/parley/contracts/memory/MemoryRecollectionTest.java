package dev.parley.contracts.memory;

import dev.parley.application.port.Recollection;
import dev.parley.contracts.storage.RecollectionContract;

class MemoryRecollectionTest implements RecollectionContract {
    private final MemoryRecollection recollection = new MemoryRecollection();

    @Override
    public Recollection open() {
        return recollection;
    }
}
