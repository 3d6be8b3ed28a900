package dev.parley.contracts.gateway;

import dev.parley.application.gateway.RandomIds;
import dev.parley.application.port.Ids;
import dev.parley.contracts.port.IdsContract;
import java.security.SecureRandom;

class RandomIdsTest implements IdsContract {
    @Override
    public Ids ids() {
        return new RandomIds(new SecureRandom());
    }
}
