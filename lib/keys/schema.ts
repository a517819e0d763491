import * as z from 'zod';
import { Id } from '@/lib/platform/ids';
import { Instant } from '@/lib/platform/instant';
import { Name } from '@/lib/platform/text';

export const KeyScope = z.enum(['READ_WRITE', 'READ_ONLY']);
export type KeyScope = z.infer<typeof KeyScope>;

export const KeyStatus = z.enum(['ACTIVE', 'ROTATING', 'EXPIRED', 'REVOKED']);
export type KeyStatus = z.infer<typeof KeyStatus>;

const END_OF_DAY = 'T23:59:59.999Z';

/** A time, or a date that means the end of that day in UTC (CONTRACT 4). */
export const ExpiresAt = z
  .union([z.iso.datetime({ offset: true }), z.iso.date()], 'must be an RFC 3339 time or a date YYYY-MM-DD')
  .transform((text) => (text.length === 10 ? text + END_OF_DAY : text))
  .pipe(Instant);

export const CreateKeyBody = z.strictObject({
  name: Name,
  scope: KeyScope.default('READ_WRITE'),
  expiresAt: ExpiresAt.nullish(),
});
export type CreateKeyBody = z.infer<typeof CreateKeyBody>;

export const ApiKey = z.object({
  id: Id,
  name: z.string(),
  scope: KeyScope,
  status: KeyStatus,
  hint: z.string(),
  expiresAt: z.string().nullable(),
  createdAt: z.string(),
  lastUsedAt: z.string().nullable(),
  revokedAt: z.string().nullable(),
  replacesId: Id.nullable(),
  replacedById: Id.nullable(),
});
export type ApiKey = z.infer<typeof ApiKey>;

/** The one answer that carries the plaintext key. */
export const NewApiKey = ApiKey.extend({ key: z.string() });
export type NewApiKey = z.infer<typeof NewApiKey>;
