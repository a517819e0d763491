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
