import * as z from 'zod';
import { field } from '@/lib/platform/field';
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
  name: field(Name, 'Its name', 'Server'),
  scope: field(KeyScope.default('READ_WRITE'), 'What the key can do'),
  expiresAt: field(
    ExpiresAt.nullish(),
    'A time, or a date, which means the end of that day in UTC; null or absent: never',
    '2036-01-31T09:30:00.000Z',
  ),
});
export type CreateKeyBody = z.infer<typeof CreateKeyBody>;

const GRACE_RULE = `must be a whole number of hours from 0 to ${MAX_GRACE_HOURS}`;

/** How long the old key keeps working, and when its replacement expires. */
export const RotateKeyBody = z.strictObject({
  gracePeriodHours: field(
    z.int(GRACE_RULE).min(0, GRACE_RULE).max(MAX_GRACE_HOURS, GRACE_RULE).default(DEFAULT_GRACE_HOURS),
    'Hours that the old key keeps working; 0 stops it immediately',
    24,
  ),
  expiresAt: field(
    ExpiresAt.nullish(),
    'When the replacement expires; null or absent: never',
    '2036-01-31T09:30:00.000Z',
  ),
});
export type RotateKeyBody = z.infer<typeof RotateKeyBody>;

/** Who created a key. Name and address are null once the person is not a member of the organization. */
export const KeyCreator = z.object({
  id: field(Id, 'The person'),
  name: field(z.string().nullable(), 'The person’s name; null if not set, or for a former member', 'Grace Hopper'),
  email: field(z.string().nullable(), 'The person’s email address; null for a former member', 'grace@example.com'),
});
export type KeyCreator = z.infer<typeof KeyCreator>;

export const ApiKey = z.object({
  id: Id,
  name: field(z.string(), 'Its name', 'Server'),
  scope: field(KeyScope, 'What the key can do'),
  status: field(KeyStatus, 'The current status; a key is `ROTATING` until its grace period ends'),
  hint: field(z.string(), 'The first and last characters of the key, to recognize it', 'eds_4hZk…2m9x'),
  expiresAt: field(Time.nullable(), 'When it expires; null: never', '2036-01-31T09:30:00.000Z'),
  createdAt: CreatedAt,
  createdBy: field(KeyCreator.nullable(), 'Who created it; null if unknown'),
  lastUsedAt: field(Time.nullable(), 'When it was last used; null if never'),
  lastUsedFrom: field(
    z.string().nullable(),
    'The address that it was last used from; null if never, or from a browser',
    '203.0.113.7',
  ),
  revokedAt: field(Time.nullable(), 'When it was revoked; null if it is not', null),
  replacesId: field(Id.nullable(), 'The key that this one replaced; null if none', null),
  replacedById: field(Id.nullable(), 'The key that replaced this one; null if none', null),
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
  project: field(z.object({ id: Id, name: field(z.string(), 'Its name', 'Web shop') }), 'The project of the key'),
  organization: field(
    z.object({ id: Id, name: field(z.string(), 'Its name', 'Analytical Engines') }),
    'The organization',
  ),
});
export type OwnKey = z.infer<typeof OwnKey>;

/** The response to a creation or a rotation, the only ones with a plaintext key. */
export const CreatedApiKey = ApiKey.extend({
  key: field(z.string(), 'The plaintext key, which no other response contains', 'eds_4hZkXq3kV2m9x'),
});
export type CreatedApiKey = z.infer<typeof CreatedApiKey>;
