package dev.parley.bootstrap.wiring;

import dev.parley.application.port.Ids;
import dev.parley.contracts.port.IdsContract;

/** The ids of a real gateway keep the contract of ids. */
class ProductionIdsTest implements IdsContract {
    @Override
    public Ids ids() {
        return new ProductionIds();
    }
}
