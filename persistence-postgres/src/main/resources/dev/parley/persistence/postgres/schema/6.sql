-- What gateways that share the store have in common, such as the token of their HTTP interface.

create table parley_shared (
  name  text collate "C" primary key,
  value text not null
);
