-- Attempts are partitioned once, by outcome and day, in place of twice: the tables of a distributed cell have no nested partitions
-- (docs/decisions/082-cells-on-several-machines.md).
ALTER TABLE delivery_attempts RENAME TO nested_attempts;
ALTER INDEX delivery_attempts_pkey RENAME TO nested_attempts_pkey;
CREATE TABLE delivery_attempts (LIKE nested_attempts INCLUDING ALL EXCLUDING INDEXES) PARTITION BY RANGE (succeeded, created_at);
ALTER TABLE delivery_attempts ADD CONSTRAINT delivery_attempts_pkey PRIMARY KEY (delivery_id, attempt_number, succeeded, created_at);

DO $$
DECLARE
  day record;
BEGIN
  FOR day IN
    SELECT branch.oid::regclass AS branch, c.oid::regclass AS name, (branch.relname = 'delivery_attempts_succeeded')::text AS succeeded,
           substring(pg_get_expr(c.relpartbound, c.oid) FROM 'FROM \((.*)\) TO') AS "from",
           substring(pg_get_expr(c.relpartbound, c.oid) FROM 'TO \((.*)\)') AS "to"
    FROM pg_inherits b JOIN pg_class branch ON branch.oid = b.inhrelid
    JOIN pg_inherits i ON i.inhparent = branch.oid JOIN pg_class c ON c.oid = i.inhrelid
    WHERE b.inhparent = 'nested_attempts'::regclass AND pg_get_expr(c.relpartbound, c.oid) <> 'DEFAULT'
  LOOP
    EXECUTE format('ALTER TABLE %s DETACH PARTITION %s', day.branch, day.name);
    EXECUTE format('ALTER TABLE delivery_attempts ATTACH PARTITION %s FOR VALUES FROM (%s, %s) TO (%s, %s)',
                   day.name, day.succeeded, day."from", day.succeeded, day."to");
  END LOOP;
END $$;
CREATE TABLE delivery_attempts_default PARTITION OF delivery_attempts DEFAULT;
INSERT INTO delivery_attempts SELECT * FROM nested_attempts;
DROP TABLE nested_attempts;
CREATE TRIGGER delivery_attempts_count AFTER INSERT ON delivery_attempts FOR EACH ROW
  WHEN (current_setting('event_delivery.attempts_counted', true) IS DISTINCT FROM 'on')
  EXECUTE FUNCTION public.count_stored_attempt();

-- Mails have a table of their own.
ALTER TABLE outbox DROP CONSTRAINT outbox_user_id_fkey;
