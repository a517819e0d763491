import * as z from 'zod';

/** A revoked session, key or membership loses its stream by then at the latest. */
const MAX_SECONDS = 60;

/** `?seconds=` of a stream of changes: after that many it ends, and the client opens the next. */
export const ChangesQuery = z.strictObject({
  seconds: z
    .string()
    .regex(/^\d{1,2}$/, `must be a whole number from 1 to ${MAX_SECONDS}`)
    .transform(Number)
    .pipe(z.number().min(1).max(MAX_SECONDS))
    .meta({
      description: 'Seconds until the server ends the stream',
      openapi: { type: 'integer', minimum: 1, maximum: MAX_SECONDS },
    }),
});
