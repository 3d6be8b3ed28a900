-- How each conversation begins, by time: lists show it.

create index parley_messages_beginning on parley_messages (session_id, at, seq)
  where role = 'user' and content is not null and state <> 2;
