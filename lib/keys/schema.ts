import * as z from 'zod';
import { Id } from '@/lib/platform/ids';
import { Instant } from '@/lib/platform/instant';
import { Name } from '@/lib/platform/text';
import { DEFAULT_GRACE_HOURS, MAX_GRACE_HOURS } from './grace-policy';

export const KeyScope = z.enum(['READ_WRITE', 'READ_ONLY']);
export type KeyScope = z.infer<typeof KeyScope>;

export const KeyStatus = z.enum(['ACTIVE', 'ROTATING', 'EXPIRED', 'REVOKED']);
export type KeyStatus = z.infer<typeof KeyStatus>;

const END_OF_DAY = 'T23:59:59.999Z';

export const ExpiresAt = z
  .union([z.iso.datetime({ offset: true }), z.iso.date()], 'must be an RFC 3339 time or a date YYYY-MM-DD')
  .transform((text) => (text.length === 10 ? text + END_OF_DAY : text))
  .pipe(Instant)
  .meta({ description: 'An RFC 3339 time, or a date, which means the end of that day in UTC' });

export const CreateKeyBody = z.strictObject({
  name: Name,
  scope: KeyScope.default('READ_WRITE'),
  expiresAt: ExpiresAt.nullish(),
});
export type CreateKeyBody = z.infer<typeof CreateKeyBody>;

const GRACE_RULE = `must be a whole number of hours from 0 to ${MAX_GRACE_HOURS}`;

/** How long the old key keeps working, and when its replacement expires. */
export const RotateKeyBody = z.strictObject({
  gracePeriodHours: z.int(GRACE_RULE).min(0, GRACE_RULE).max(MAX_GRACE_HOURS, GRACE_RULE).default(DEFAULT_GRACE_HOURS),
  expiresAt: ExpiresAt.nullish(),
});
export type RotateKeyBody = z.infer<typeof RotateKeyBody>;

/** Who created a key. Name and address are null once the person is not a member of the organization. */
export const KeyCreator = z.object({ id: Id, name: z.string().nullable(), email: z.string().nullable() });
export type KeyCreator = z.infer<typeof KeyCreator>;

export const ApiKey = z.object({
  id: Id,
  name: z.string(),
  scope: KeyScope,
  status: KeyStatus,
  hint: z.string(),
  expiresAt: z.string().nullable(),
  createdAt: z.string(),
  createdBy: KeyCreator.nullable(),
  lastUsedAt: z.string().nullable(),
  revokedAt: z.string().nullable(),
  replacesId: Id.nullable(),
  replacedById: Id.nullable(),
});
export type ApiKey = z.infer<typeof ApiKey>;

/** What a key may read about itself: enough to check the configuration of a deployment. */
export const OwnKey = ApiKey.pick({
  id: true,
  name: true,
  hint: true,
  scope: true,
  status: true,
  expiresAt: true,
}).extend({
  project: z.object({ id: Id, name: z.string() }),
  organization: z.object({ id: Id, name: z.string() }),
});
export type OwnKey = z.infer<typeof OwnKey>;

/** The response to a creation or a rotation, the only ones with a plaintext key. */
export const NewApiKey = ApiKey.extend({ key: z.string() });
export type NewApiKey = z.infer<typeof NewApiKey>;
