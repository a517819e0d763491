import * as z from 'zod';
import { EARLIEST_MS, LATEST_MS } from '@/lib/platform/clock';

/** A time in a request: RFC 3339 with an offset, from 1970 to 9999, parsed to a Date. */
export const Instant = z.iso
  .datetime({ offset: true, error: 'must be an RFC 3339 time such as 2026-01-31T09:30:00Z' })
  .transform((text, context) => {
    const at = new Date(text);
    if (at.getTime() >= EARLIEST_MS && at.getTime() <= LATEST_MS) return at;
    context.addIssue({ code: 'custom', message: 'must be between the years 1970 and 9999' });
    return z.NEVER;
  });

/** A time in a response: RFC 3339 in UTC. */
export const Time = z.string().meta({ format: 'date-time' });
export const CreatedAt = Time.meta({ description: 'When it was created' });
export const UpdatedAt = Time.meta({ description: 'When it was last changed' });
