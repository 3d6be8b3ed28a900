-- What gateways that share the store know of each other. Leases run by the clock of the server.

create table parley_nodes (
  life        text collate "C" primary key,
  name        text not null,
  version     text not null,
  agreed      text not null,
  state       text collate "C" not null,
  joined_at   timestamptz not null,
  lease_until timestamptz not null,
  ended_at    timestamptz,
  busy        bigint not null default 0
) with (fillfactor = 20);
create index parley_nodes_state on parley_nodes (state);

create table parley_leases (
  name text collate "C" primary key,
  life text collate "C"
);

alter table parley_holds add column deaths bigint not null default 0;
