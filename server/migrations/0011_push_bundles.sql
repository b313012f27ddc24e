-- Bundles: a batch of rounds writes its events as one row. Its topic is `bundle`, and its event
-- is an object that has each topic's key with the list of that topic's events, in order.

-- Rows are read as a whole, and often they are large. As they were written they cost least:
-- not taken apart, not compressed, and left where they lie when the row gets its number.
alter table platform_events alter column event type json using event::json;
alter table platform_events alter column event set storage external;

-- A row has no place in the replay before it has a number.
drop index platform_events_topic;
create index platform_events_topic on platform_events (topic, seq) where seq is not null;
