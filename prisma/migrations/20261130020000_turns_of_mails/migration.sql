-- Mails of a class take turns by whoever causes them: an owner, the domain of addresses that nobody has proven, or the recipient.
ALTER TABLE public.mails ADD COLUMN turn_id uuid;
CREATE INDEX mails_by_turn_idx ON public.mails (
  (CASE WHEN attempts > 0 THEN 'tried' WHEN is_bulk THEN 'bulk' WHEN turn_id IS NOT NULL THEN 'unproven' ELSE 'asked' END),
  (coalesce(turn_id, user_id, id)), available_at, id) WHERE status = 'PENDING';
DROP INDEX public.mails_turns_idx;
