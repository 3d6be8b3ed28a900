-- Lanes that are suspended or marked to be resumed are few among many, and listed by themselves. What copies into a store is no gateway.

create index parley_lanes_suspended on parley_lanes (updated_at, lane) where suspended;
create index parley_lanes_marked on parley_lanes (updated_at, lane) where resume_pending;

alter table parley_nodes
  add column copies boolean not null default false;
