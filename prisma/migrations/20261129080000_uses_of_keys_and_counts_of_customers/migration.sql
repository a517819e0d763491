-- What changes often leaves the tables that Citus copies to each machine, where a change of one row keeps those of all others waiting
-- (docs/decisions/082-cells-on-several-machines.md). The columns that the previous version uses stay until it is gone.
CREATE TABLE public.key_uses (
  key_id uuid PRIMARY KEY REFERENCES public.api_keys ON DELETE CASCADE,
  last_used_at timestamptz(3) NOT NULL,
  last_used_from text
);
INSERT INTO public.key_uses (key_id, last_used_at, last_used_from)
SELECT id, last_used_at, last_used_from FROM public.api_keys WHERE last_used_at IS NOT NULL;

CREATE TABLE public.customer_counts (
  project_id uuid PRIMARY KEY REFERENCES public.projects ON DELETE CASCADE,
  customers integer NOT NULL
);

-- The previous version counts in the column: no customer that it makes or deletes may be missing here.
CREATE FUNCTION public.follow_customer_count() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO public.customer_counts AS c (project_id, customers) VALUES (NEW.id, NEW.customer_count - OLD.customer_count)
  ON CONFLICT (project_id) DO UPDATE SET customers = c.customers + excluded.customers;
  RETURN NEW;
END $$;
CREATE TRIGGER follow_customer_count AFTER UPDATE OF customer_count ON public.projects
  FOR EACH ROW EXECUTE FUNCTION public.follow_customer_count();

INSERT INTO public.customer_counts (project_id, customers)
SELECT id, customer_count FROM public.projects WHERE customer_count <> 0;
