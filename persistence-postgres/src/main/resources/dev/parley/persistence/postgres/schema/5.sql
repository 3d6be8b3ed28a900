-- What operators ask of lanes, for the gateways that work on them.

create table parley_orders (
  id    text collate "C" primary key,
  lane  text collate "C" not null,
  what  text collate "C" not null,
  epoch bigint not null,
  state text collate "C" not null,
  at    timestamptz not null
);
create index parley_orders_open on parley_orders (at) where state = 'open';
