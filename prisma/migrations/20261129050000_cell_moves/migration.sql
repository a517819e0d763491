-- How an organization moves to another cell (docs/decisions/081-moves-between-cells.md).
CREATE TABLE public.cell_moves (
  organization_id uuid PRIMARY KEY REFERENCES organizations ON DELETE CASCADE,
  source text NOT NULL REFERENCES public.cells,
  target text NOT NULL REFERENCES public.cells,
  -- Until then, its workers begin nothing more. Whoever moves it renews this; if they die, the workers go on.
  paused_until timestamptz(3),
  -- Changes are noted for an hour after whoever moves it was last seen: a move that is forgotten does not fill the disk.
  seen_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  -- When the organization began to work in its new cell.
  moved_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT cell_moves_cells_check CHECK (source <> target)
);

-- Rows of the source that were written since they were copied. Without foreign keys: each row that an organization writes adds one.
CREATE TABLE public.cell_move_changes (
  id bigserial PRIMARY KEY,
  organization_id uuid NOT NULL,
  table_name text NOT NULL,
  -- The id of the row; of a row of the statistics, its project.
  row_id uuid NOT NULL,
  period "StatPeriod",
  subject_id uuid,
  starts_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
);
CREATE INDEX cell_move_changes_organization_id_id_idx ON public.cell_move_changes (organization_id, id);

-- The trigger of the tables of the source, for the rows of one organization. Each write holds a lock, for which the last step of the move
-- waits, and is noted. Once the work of the organization is paused, workers claim none of it. After the move, a write fails with 23M01; what
-- workers and retention write is left out. Statements that are about the rows of many organizations do not wait for the last step: what
-- stores events and incoming events fails at once, and names the lane of the row, so that all other rows are stored. What claims work
-- passes over the rows of a pause.
-- Arguments: the organization, the table (a partition has another name), and 'noted' if changes of its rows are.
CREATE FUNCTION public.guard_cell_move() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  place record;
  is_claim boolean := false;
  is_received boolean := TG_OP = 'INSERT' AND TG_ARGV[1] IN ('events', 'incoming_events');
  lane text := '';
BEGIN
  IF current_setting('event_delivery.moving', true) = TG_ARGV[0] THEN
    IF TG_OP = 'DELETE' THEN RETURN OLD; END IF;
    RETURN NEW;
  END IF;
  IF TG_OP = 'UPDATE' THEN
    IF TG_ARGV[1] = 'deliveries' THEN
      is_claim := NEW.attempt_count = OLD.attempt_count AND OLD.next_attempt_at <= now() AND NEW.next_attempt_at > now();
    ELSIF TG_ARGV[1] IN ('outbox', 'alert_messages') THEN
      is_claim := NEW.attempts > OLD.attempts;
    END IF;
    IF is_claim AND EXISTS (SELECT FROM public.cell_moves WHERE organization_id = TG_ARGV[0]::uuid AND paused_until > now()) THEN
      RETURN NULL;
    END IF;
  END IF;
  IF is_received THEN
    IF TG_ARGV[1] = 'events' THEN lane := NEW.project_id; ELSE lane := NEW.source_id; END IF;
    IF NOT pg_try_advisory_xact_lock_shared(hashtextextended('move ' || TG_ARGV[0], 0)) THEN
      RAISE EXCEPTION 'The organization is moving to another cell.' USING ERRCODE = '23M01', DETAIL = lane;
    END IF;
  ELSE
    PERFORM pg_advisory_xact_lock_shared(hashtextextended('move ' || TG_ARGV[0], 0));
  END IF;
  SELECT o.cell, m.paused_until > now() AS is_paused, m.seen_at > now() - interval '1 hour' AS is_noted INTO place
  FROM public.organizations o LEFT JOIN public.cell_moves m ON m.organization_id = o.id WHERE o.id = TG_ARGV[0]::uuid;
  IF place.cell <> TG_TABLE_SCHEMA THEN
    IF TG_OP = 'DELETE' OR TG_ARGV[1] IN ('deliveries', 'stats', 'stored_bytes')
       OR TG_OP = 'UPDATE' AND TG_ARGV[1] IN ('outbox', 'alerts', 'alert_messages') THEN
      RETURN NULL;
    END IF;
    RAISE EXCEPTION 'The organization has moved to another cell.' USING ERRCODE = '23M01', DETAIL = lane;
  END IF;
  -- The pause may have begun since.
  IF place.is_paused AND is_claim THEN RETURN NULL; END IF;
  IF place.is_noted AND TG_ARGV[2] = 'noted' THEN
    IF TG_ARGV[1] = 'stats' THEN
      IF TG_OP = 'DELETE' THEN place := OLD; ELSE place := NEW; END IF;
      INSERT INTO public.cell_move_changes (organization_id, table_name, row_id, period, subject_id, starts_at)
      VALUES (TG_ARGV[0]::uuid, TG_ARGV[1], place.project_id, place.period, place.subject_id, place.starts_at);
    ELSIF TG_OP = 'DELETE' THEN
      INSERT INTO public.cell_move_changes (organization_id, table_name, row_id) VALUES (TG_ARGV[0]::uuid, TG_ARGV[1], OLD.id);
    ELSE
      INSERT INTO public.cell_move_changes (organization_id, table_name, row_id) VALUES (TG_ARGV[0]::uuid, TG_ARGV[1], NEW.id);
    END IF;
  END IF;
  IF TG_OP = 'DELETE' THEN RETURN OLD; END IF;
  RETURN NEW;
END $$;

-- What these note is copied with the rows of an organization that moves.
CREATE OR REPLACE FUNCTION public.note_disabled_period() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF current_setting('event_delivery.moving', true) <> '' THEN RETURN NULL; END IF;
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

CREATE OR REPLACE FUNCTION public.note_routing_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF current_setting('event_delivery.moving', true) <> '' THEN RETURN NEW; END IF;
  NEW.routing_changed_at := clock_timestamp();
  RETURN NEW;
END $$;

CREATE OR REPLACE FUNCTION public.note_subscription_change() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  changed uuid;
BEGIN
  IF current_setting('event_delivery.moving', true) <> '' THEN RETURN NULL; END IF;
  IF TG_OP = 'DELETE' THEN changed := OLD.endpoint_id; ELSE changed := NEW.endpoint_id; END IF;
  UPDATE endpoints e SET routing_changed_at = clock_timestamp()
  WHERE e.id = changed AND e.deleted_at IS NULL
    AND (e.routing_changed_at IS NULL OR e.xmin <> pg_current_xact_id()::xid)
    AND EXISTS (SELECT FROM projects p JOIN organizations o ON o.id = p.organization_id
                WHERE p.id = e.project_id AND p.deleted_at IS NULL AND o.deleted_at IS NULL);
  RETURN NULL;
END $$;
