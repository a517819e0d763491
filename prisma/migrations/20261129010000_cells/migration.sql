-- Several cells may follow the first one (docs/decisions/078-cells.md). What all cells share is in public: types, and the functions of
-- triggers, whose statements find the tables of the cell by the search path.
DO $$
DECLARE
  named text;
BEGIN
  FOR named IN
    SELECT format('ALTER TYPE cell_00.%I SET SCHEMA public', typname) FROM pg_type
    WHERE typnamespace = 'cell_00'::regnamespace AND typtype = 'e'
    UNION ALL
    SELECT format('ALTER FUNCTION %s SET SCHEMA public', oid::regprocedure) FROM pg_proc WHERE pronamespace = 'cell_00'::regnamespace
    -- The partitions of a cell are in its schema too: on Citus, a partition is where its table is.
    UNION ALL
    SELECT format('ALTER TABLE partitions.%I SET SCHEMA cell_00', relname) FROM pg_class
    WHERE relnamespace = 'partitions'::regnamespace AND relkind IN ('r', 'p')
  LOOP
    EXECUTE named;
  END LOOP;
END $$;
DROP SCHEMA partitions;

CREATE TABLE public.cells (
  name text PRIMARY KEY CHECK (name ~ '^cell_[a-z0-9_]{1,40}$'),
  takes_new boolean NOT NULL DEFAULT true,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
);
INSERT INTO public.cells (name) VALUES ('cell_00');

ALTER TABLE organizations ADD COLUMN cell text NOT NULL DEFAULT 'cell_00' REFERENCES public.cells;
CREATE INDEX organizations_cell_idx ON organizations (cell);

-- Mails are of all cells: people belong to organizations in several. Those that wait in the outbox are moved.
CREATE TABLE public.mails (
  id uuid PRIMARY KEY,
  user_id uuid REFERENCES users ON DELETE CASCADE,
  payload_encrypted bytea NOT NULL,
  is_bulk boolean NOT NULL DEFAULT false,
  status "OutboxStatus" NOT NULL DEFAULT 'PENDING',
  attempts integer NOT NULL DEFAULT 0,
  available_at timestamptz(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  dead_at timestamptz(3),
  last_error text,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT mails_dead_has_time_check CHECK ((status = 'DEAD') = (dead_at IS NOT NULL))
);
CREATE INDEX mails_due_idx ON public.mails (available_at, id) WHERE status = 'PENDING';
CREATE INDEX mails_turns_idx ON public.mails (is_bulk, available_at, id) WHERE status = 'PENDING';
CREATE INDEX mails_dead_idx ON public.mails (dead_at) WHERE status = 'DEAD';
CREATE INDEX mails_user_id_idx ON public.mails (user_id) WHERE user_id IS NOT NULL;

WITH moved AS (DELETE FROM outbox WHERE kind = 'MAIL' AND payload_encrypted IS NOT NULL RETURNING *)
INSERT INTO public.mails (id, user_id, payload_encrypted, is_bulk, status, attempts, available_at, dead_at, last_error, created_at)
SELECT id, user_id, payload_encrypted, is_bulk, status, attempts, available_at, dead_at, last_error, created_at FROM moved;
