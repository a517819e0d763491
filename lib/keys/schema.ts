import * as z from 'zod';
import { Id } from '@/lib/platform/ids';
import { CreatedAt, Instant, Time } from '@/lib/platform/instant';
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
  .meta({
    description: 'An RFC 3339 time, or a date, which means the end of that day in UTC',
    // A union of two formats of text is no type that a generator can tell apart.
    openapi: { type: 'string' },
  });

export const CreateKeyBody = z.strictObject({
  name: Name.meta({ description: 'Its name', examples: ['Server'] }),
  scope: KeyScope.default('READ_WRITE').meta({ description: 'What the key can do' }),
  expiresAt: ExpiresAt.nullish().meta({
    description: 'A time, or a date, which means the end of that day in UTC; null or absent: never',
    examples: ['2036-01-31T09:30:00.000Z'],
  }),
});
export type CreateKeyBody = z.infer<typeof CreateKeyBody>;

const GRACE_RULE = `must be a whole number of hours from 0 to ${MAX_GRACE_HOURS}`;

/** How long the old key keeps working, and when its replacement expires. */
export const RotateKeyBody = z.strictObject({
  gracePeriodHours: z
    .int(GRACE_RULE)
    .min(0, GRACE_RULE)
    .max(MAX_GRACE_HOURS, GRACE_RULE)
    .default(DEFAULT_GRACE_HOURS)
    .meta({ description: 'Hours that the old key keeps working; 0 stops it immediately', examples: [24] }),
  expiresAt: ExpiresAt.nullish().meta({
    description: 'When the replacement expires; null or absent: never',
    examples: ['2036-01-31T09:30:00.000Z'],
  }),
});
export type RotateKeyBody = z.infer<typeof RotateKeyBody>;

/** Who created a key. Name and address are null once the person is not a member of the organization. */
export const KeyCreator = z.object({
  id: Id.meta({ description: 'The person' }),
  name: z
    .string()
    .nullable()
    .meta({ description: 'The person’s name; null if not set, or for a former member', examples: ['Grace Hopper'] }),
  email: z
    .string()
    .nullable()
    .meta({ description: 'The person’s email address; null for a former member', examples: ['grace@example.com'] }),
});
export type KeyCreator = z.infer<typeof KeyCreator>;

export const ApiKey = z.object({
  id: Id,
  name: z.string().meta({ description: 'Its name', examples: ['Server'] }),
  scope: KeyScope.meta({ description: 'What the key can do' }),
  status: KeyStatus.meta({ description: 'The current status; a key is `ROTATING` until its grace period ends' }),
  hint: z
    .string()
    .meta({ description: 'The first and last characters of the key, to recognize it', examples: ['eds_4hZk…2m9x'] }),
  expiresAt: Time.nullable().meta({
    description: 'When it expires; null: never',
    examples: ['2036-01-31T09:30:00.000Z'],
  }),
  createdAt: CreatedAt,
  createdBy: KeyCreator.nullable().meta({ description: 'Who created it; null if unknown' }),
  lastUsedAt: Time.nullable().meta({ description: 'When it was last used; null if never' }),
  revokedAt: Time.nullable().meta({ description: 'When it was revoked; null if it is not', examples: [null] }),
  replacesId: Id.nullable().meta({ description: 'The key that this one replaced; null if none', examples: [null] }),
  replacedById: Id.nullable().meta({ description: 'The key that replaced this one; null if none', examples: [null] }),
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
  project: z
    .object({ id: Id, name: z.string().meta({ description: 'Its name', examples: ['Web shop'] }) })
    .meta({ description: 'The project of the key' }),
  organization: z
    .object({ id: Id, name: z.string().meta({ description: 'Its name', examples: ['Analytical Engines'] }) })
    .meta({ description: 'The organization' }),
});
export type OwnKey = z.infer<typeof OwnKey>;

/** The response to a creation or a rotation, the only ones with a plaintext key. */
export const NewApiKey = ApiKey.extend({
  key: z
    .string()
    .meta({ description: 'The plaintext key, which no other response contains', examples: ['eds_4hZkXq3kV2m9x'] }),
});
export type NewApiKey = z.infer<typeof NewApiKey>;
