-- Serves the nodes, which look several times a second which sessions have just ended.
create index sessions_tokens_ended_at on sessions_tokens (ended_at) where ended_at is not null;
