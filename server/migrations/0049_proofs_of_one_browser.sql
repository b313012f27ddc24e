-- The hash of a secret that only the browser has which showed password and code: whoever came by the session's cookie
-- alone has no part in the proof. Null, as in rows of a node from before, is a proof that nobody can use.
alter table staff_sessions add column proof_hash bytea check (length(proof_hash) = 32);

grant update (proof_hash) on staff_sessions to capiz_server;
