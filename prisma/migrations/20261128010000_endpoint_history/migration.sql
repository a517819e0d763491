-- What explains later why an event did not go to an endpoint (docs/decisions/075-where-an-event-went.md). Triggers write it, so that no
-- statement forgets it: people, workers and the previous version disable endpoints, and change what events they get.

-- When an endpoint was disabled. The last period has no end while it is.
CREATE TABLE endpoint_disabled_periods (
  endpoint_id uuid NOT NULL REFERENCES endpoints ON DELETE CASCADE,
  starts_at timestamptz(3) NOT NULL,
  ends_at timestamptz(3),
  reason text,
  PRIMARY KEY (endpoint_id, starts_at)
);
CREATE INDEX endpoint_disabled_periods_ends_at_idx ON endpoint_disabled_periods (ends_at);

-- The last change of its filter, its subscriptions or whether it receives the events of customers. It is the time of this migration for
-- endpoints that exist: what they received before is not known.
ALTER TABLE endpoints ADD COLUMN routing_changed_at timestamptz(3) DEFAULT CURRENT_TIMESTAMP;
ALTER TABLE endpoints ALTER COLUMN routing_changed_at DROP DEFAULT;

INSERT INTO endpoint_disabled_periods (endpoint_id, starts_at, reason)
SELECT id, coalesce(disabled_at, created_at), disabled_reason FROM endpoints WHERE NOT enabled AND deleted_at IS NULL;

CREATE FUNCTION note_disabled_period() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.enabled THEN
    UPDATE endpoint_disabled_periods SET ends_at = clock_timestamp() WHERE endpoint_id = NEW.id AND ends_at IS NULL;
    RETURN NULL;
  END IF;
  INSERT INTO endpoint_disabled_periods (endpoint_id, starts_at, reason)
  VALUES (NEW.id, CASE TG_OP WHEN 'INSERT' THEN NEW.created_at ELSE clock_timestamp() END, NEW.disabled_reason)
  ON CONFLICT (endpoint_id, starts_at) DO UPDATE SET ends_at = NULL, reason = excluded.reason;
  -- The newest 1,000 of an endpoint.
  DELETE FROM endpoint_disabled_periods WHERE endpoint_id = NEW.id AND starts_at <= (
    SELECT starts_at FROM endpoint_disabled_periods WHERE endpoint_id = NEW.id ORDER BY starts_at DESC OFFSET 1000 LIMIT 1);
  RETURN NULL;
END $$;
CREATE TRIGGER endpoints_disabled_period AFTER UPDATE OF enabled ON endpoints FOR EACH ROW
  WHEN (OLD.enabled <> NEW.enabled AND NEW.deleted_at IS NULL)
  EXECUTE FUNCTION note_disabled_period();
CREATE TRIGGER endpoints_created_disabled AFTER INSERT ON endpoints FOR EACH ROW
  WHEN (NOT NEW.enabled AND NEW.deleted_at IS NULL)
  EXECUTE FUNCTION note_disabled_period();

CREATE FUNCTION note_routing_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.routing_changed_at := clock_timestamp();
  RETURN NEW;
END $$;
CREATE TRIGGER endpoints_routing_changed BEFORE UPDATE OF filter, receives_customer_events ON endpoints FOR EACH ROW
  WHEN ((OLD.filter, OLD.receives_customer_events) IS DISTINCT FROM (NEW.filter, NEW.receives_customer_events))
  EXECUTE FUNCTION note_routing_change();

-- Subscriptions are locked before their endpoint, by everything that changes both. A transaction notes the change once, however many it
-- changes. What is being erased notes nothing: its endpoints are locked in another order.
CREATE FUNCTION note_subscription_change() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  changed uuid;
BEGIN
  IF TG_OP = 'DELETE' THEN changed := OLD.endpoint_id; ELSE changed := NEW.endpoint_id; END IF;
  UPDATE endpoints e SET routing_changed_at = clock_timestamp()
  WHERE e.id = changed AND e.deleted_at IS NULL
    AND (e.routing_changed_at IS NULL OR e.xmin <> pg_current_xact_id()::xid)
    AND EXISTS (SELECT FROM projects p JOIN organizations o ON o.id = p.organization_id
                WHERE p.id = e.project_id AND p.deleted_at IS NULL AND o.deleted_at IS NULL);
  RETURN NULL;
END $$;
CREATE TRIGGER subscriptions_routing_changed AFTER INSERT OR DELETE ON subscriptions FOR EACH ROW
  EXECUTE FUNCTION note_subscription_change();
CREATE TRIGGER subscriptions_routing_updated AFTER UPDATE OF event_type, enabled ON subscriptions FOR EACH ROW
  WHEN ((OLD.event_type, OLD.enabled) IS DISTINCT FROM (NEW.event_type, NEW.enabled))
  EXECUTE FUNCTION note_subscription_change();
