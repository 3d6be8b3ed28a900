-- Where gateways run, whether one wants the store to itself, and what operators wish of them.

alter table parley_nodes
  add column place   text not null default '',
  add column alone   boolean not null default false,
  add column address text,
  add column wish    text collate "C" not null default 'nothing';
