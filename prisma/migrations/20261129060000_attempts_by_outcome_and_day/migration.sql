-- What the triggers do is possible on Citus too (docs/decisions/082-cells-on-several-machines.md): a statement about a table that is
-- distributed has no volatile function and no system column. It names the schema: a trigger may run in a session of another node, whose
-- search path is another one. What other nodes take part in sends no notification.
CREATE OR REPLACE FUNCTION public.note_disabled_period() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  at timestamptz := clock_timestamp();
BEGIN
  IF current_setting('event_delivery.moving', true) <> '' THEN RETURN NULL; END IF;
  IF NEW.enabled THEN
    EXECUTE format('UPDATE %I.endpoint_disabled_periods SET ends_at = $1 WHERE endpoint_id = $2 AND ends_at IS NULL', TG_TABLE_SCHEMA)
    USING at, NEW.id;
    RETURN NULL;
  END IF;
  IF TG_OP = 'INSERT' THEN at := NEW.created_at; END IF;
  EXECUTE format('INSERT INTO %I.endpoint_disabled_periods (endpoint_id, starts_at, reason) VALUES ($2, $1, $3)
                  ON CONFLICT (endpoint_id, starts_at) DO UPDATE SET ends_at = NULL, reason = excluded.reason', TG_TABLE_SCHEMA)
  USING at, NEW.id, NEW.disabled_reason;
  -- The newest 1,000 of an endpoint.
  EXECUTE format('DELETE FROM %1$I.endpoint_disabled_periods WHERE endpoint_id = $1 AND starts_at <= (
                    SELECT starts_at FROM %1$I.endpoint_disabled_periods WHERE endpoint_id = $1
                    ORDER BY starts_at DESC OFFSET 1000 LIMIT 1)', TG_TABLE_SCHEMA)
  USING NEW.id;
  RETURN NULL;
END $$;

-- A transaction notes a change of many subscriptions of an endpoint once.
CREATE OR REPLACE FUNCTION public.note_subscription_change() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  changed uuid;
BEGIN
  IF current_setting('event_delivery.moving', true) <> '' THEN RETURN NULL; END IF;
  IF TG_OP = 'DELETE' THEN changed := OLD.endpoint_id; ELSE changed := NEW.endpoint_id; END IF;
  IF current_setting('event_delivery.noted_endpoint', true) = changed::text THEN RETURN NULL; END IF;
  PERFORM set_config('event_delivery.noted_endpoint', changed::text, true);
  EXECUTE format('UPDATE %I.endpoints e SET routing_changed_at = $1
                  WHERE e.id = $2 AND e.deleted_at IS NULL
                    AND EXISTS (SELECT FROM public.projects p JOIN public.organizations o ON o.id = p.organization_id
                                WHERE p.id = e.project_id AND p.deleted_at IS NULL AND o.deleted_at IS NULL)', TG_TABLE_SCHEMA)
  USING clock_timestamp(), changed;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION public.count_stored_attempt() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format($sql$
    INSERT INTO %1$I.stat_batches (project_ids, target_ids, kinds, are_last, durations_ms, latencies_ms, created_at)
    SELECT ARRAY[$1.project_id], ARRAY[coalesce(d.endpoint_id, d.destination_id)],
           ARRAY[CASE WHEN $1.succeeded THEN 'SUCCEEDED'
                      WHEN $1.error LIKE 'No %% within %%' THEN 'TIMED_OUT'
                      WHEN $1.response_status BETWEEN 300 AND 399 THEN 'REDIRECT'
                      WHEN $1.response_status BETWEEN 400 AND 499 THEN 'CLIENT_ERROR'
                      WHEN $1.response_status >= 500 THEN 'SERVER_ERROR'
                      ELSE 'NO_RESPONSE' END::public."StatKind"],
           ARRAY[d.status = 'FAILED' AND d.attempt_count = $1.attempt_number], ARRAY[$1.duration_ms],
           -- A delivery's id begins with the time of its event. A retry by hand would measure the person.
           ARRAY[CASE WHEN $1.succeeded AND d.event_id IS NOT NULL AND d.attempt_count = d.schedule_step THEN
             least(2147483647, greatest(0, extract(epoch FROM $1.started_at) * 1000 + $1.duration_ms -
               ('x' || translate(left(d.id::text, 13), '-', ''))::bit(48)::bigint))::int END],
           $1.created_at
    FROM %1$I.deliveries d WHERE d.id = $1.delivery_id$sql$, TG_TABLE_SCHEMA) USING NEW;
  EXECUTE format('UPDATE %I.deliveries SET stored_attempts = stored_attempts + 1 WHERE id = $1', TG_TABLE_SCHEMA) USING NEW.delivery_id;
  RETURN NULL;
END $$;

-- The node that a process is connected to tells those who listen there.
CREATE OR REPLACE FUNCTION public.signal_access() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF starts_with(current_setting('application_name'), 'citus_internal') THEN
    RETURN NULL;
  ELSIF TG_TABLE_NAME LIKE 'memberships%' THEN
    PERFORM pg_notify('eds_access', OLD.user_id::text);
  ELSE
    PERFORM pg_notify('eds_access', OLD.id::text);
  END IF;
  RETURN NULL;
END $$;

-- Does what a foreign key did that is not possible on Citus (lib/platform/cells/distribute-sql.ts): its argument is a statement about the
-- id of the deleted row, for the machine that has the tables of sign-in.
CREATE FUNCTION public.follow_deletion() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF to_regclass('public.users') IS NOT NULL THEN
    EXECUTE TG_ARGV[0] USING OLD.id;
  END IF;
  RETURN NULL;
END $$;
