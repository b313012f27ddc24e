-- A token that another has replaced is good for a moment more. It has a column of its own, because a session that
-- has ended is over whatever a node's clock says. Rows live for hours, and nothing is filled in.
alter table sessions_tokens add column replaced_until timestamptz;

-- Serves the nodes, which look several times a second which tokens are about to end.
create index sessions_tokens_replaced_until on sessions_tokens (replaced_until)
    where replaced_until is not null;
