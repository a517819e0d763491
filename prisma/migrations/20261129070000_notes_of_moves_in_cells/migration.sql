-- What is written while an organization moves is noted in the cell that it leaves: on the same machine (docs/decisions/082-cells-on-several-machines.md).
-- No organization moves during a migration.
DROP TABLE public.cell_move_changes;

CREATE OR REPLACE FUNCTION public.guard_cell_move() RETURNS trigger LANGUAGE plpgsql AS $$
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
    IF TG_OP = 'DELETE' THEN place := OLD; ELSE place := NEW; END IF;
    IF TG_ARGV[1] = 'stats' THEN
      EXECUTE format('INSERT INTO %I.cell_move_changes (organization_id, table_name, row_id, period, subject_id, starts_at)
                      VALUES ($1, $2, $3, $4, $5, $6)', TG_TABLE_SCHEMA)
      USING TG_ARGV[0]::uuid, TG_ARGV[1], place.project_id, place.period, place.subject_id, place.starts_at;
    ELSE
      EXECUTE format('INSERT INTO %I.cell_move_changes (organization_id, table_name, row_id) VALUES ($1, $2, $3)', TG_TABLE_SCHEMA)
      USING TG_ARGV[0]::uuid, TG_ARGV[1], place.id;
    END IF;
  END IF;
  IF TG_OP = 'DELETE' THEN RETURN OLD; END IF;
  RETURN NEW;
END $$;
