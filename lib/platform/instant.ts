import * as z from 'zod';
import { EARLIEST_MS, LATEST_MS } from '@/lib/platform/clock';
import { field } from '@/lib/platform/field';

/** A time in a request: RFC 3339 with an offset, from 1970 to 9999, parsed to a Date. */
export const Instant = z.iso
  .datetime({ offset: true, error: 'must be an RFC 3339 time such as 2026-01-31T09:30:00Z' })
  .transform((text, context) => {
    const at = new Date(text);
    if (at.getTime() >= EARLIEST_MS && at.getTime() <= LATEST_MS) return at;
    context.addIssue({ code: 'custom', message: 'must be between the years 1970 and 9999' });
    return z.NEVER;
  });

/** The filter of a list by the time of creation. Both ends are inclusive. */
export const CREATED_WITHIN = {
  from: field(Instant.optional(), 'Only items created at or after this time'),
  to: field(Instant.optional(), 'Only items created at or before this time'),
};

/** A time in a response: RFC 3339 in UTC. */
export const Time = z.string().meta({ format: 'date-time' });
export const CreatedAt = field(Time, 'When it was created');
export const UpdatedAt = field(Time, 'When it was last changed');
