import * as z from 'zod';
import { RetrySeconds, TargetUrl } from '@/lib/delivery/schema';
import { Id } from '@/lib/platform/ids';
import { Instant } from '@/lib/platform/instant';
import { PageQuery } from '@/lib/platform/pagination';
import { Name, text } from '@/lib/platform/text';
import { isReservedHeader } from './reserved-headers-policy';

export const SourceProvider = z.enum([
  'NONE',
  'GENERIC_HMAC',
  'STANDARD_WEBHOOKS',
  'STRIPE',
  'GITHUB',
  'SHOPIFY',
  'SLACK',
]);
export type SourceProvider = z.infer<typeof SourceProvider>;

export const SignatureEncoding = z.enum(['hex', 'base64']);
export type SignatureEncoding = z.infer<typeof SignatureEncoding>;

/** RFC 9110 token. */
const HeaderName = z.string().regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/, 'must be the name of a header');
const SignaturePrefix = z.string().regex(/^[\x21-\x7e]{0,50}$/, 'must be at most 50 visible ASCII characters');
const SigningSecret = text(500).meta({ description: 'The secret that the provider signs with' });

export const CreateSourceBody = z.strictObject({
  name: Name,
  provider: SourceProvider.default('NONE'),
  secret: SigningSecret.optional(),
  signatureHeader: HeaderName.optional().meta({
    description: 'Name of the header with the signature, for `GENERIC_HMAC`; default `X-Signature`',
  }),
  signatureEncoding: SignatureEncoding.optional().meta({
    description: 'Encoding of the signature, for `GENERIC_HMAC`; default `hex`',
  }),
  signaturePrefix: SignaturePrefix.optional().meta({
    description: 'Text before the signature, such as `sha256=`, for `GENERIC_HMAC`',
  }),
  enabled: z.boolean().default(true),
});
export type CreateSourceBody = z.infer<typeof CreateSourceBody>;

export const UpdateSourceBody = z.strictObject({
  name: Name.optional(),
  secret: SigningSecret.optional(),
  signatureHeader: HeaderName.optional(),
  signatureEncoding: SignatureEncoding.optional(),
  signaturePrefix: SignaturePrefix.optional(),
  enabled: z.boolean().optional(),
});
export type UpdateSourceBody = z.infer<typeof UpdateSourceBody>;

export const Source = z.object({
  id: Id,
  name: z.string(),
  provider: SourceProvider,
  url: z.string().nullable().meta({
    description:
      'The URL that the provider posts to; null for viewers and read-only keys, and if no key in ENCRYPTION_KEY decrypts it: rotate it',
  }),
  previousUrlExpiresAt: z.string().nullable(),
  hasSecret: z
    .boolean()
    .meta({ description: 'Whether a secret is set; without one, signed requests cannot be verified' }),
  previousSecretExpiresAt: z.string().nullable(),
  signatureHeader: z.string().nullable(),
  signatureEncoding: SignatureEncoding.nullable(),
  signaturePrefix: z.string().nullable(),
  enabled: z.boolean(),
  createdAt: z.string(),
  updatedAt: z.string(),
});
export type Source = z.infer<typeof Source>;

export const SourceSecret = z.object({ secret: z.string(), previousSecretExpiresAt: z.string().nullable() });
export type SourceSecret = z.infer<typeof SourceSecret>;

export const RotateSourceSecretBody = z.strictObject({
  secret: SigningSecret.optional().meta({ description: 'Required if the provider generates the secret' }),
});
export type RotateSourceSecretBody = z.infer<typeof RotateSourceSecretBody>;

const MAX_GRACE_HOURS = 168;
export const RotateSourceUrlBody = z.strictObject({
  gracePeriodHours: z
    .int()
    .min(0)
    .max(MAX_GRACE_HOURS)
    .default(24)
    .meta({ description: 'Hours that the old URL keeps working' }),
});
export type RotateSourceUrlBody = z.infer<typeof RotateSourceUrlBody>;

const CredentialHeader = HeaderName.refine(
  (name) => !isReservedHeader(name),
  'is set by the service or its connection',
);
/** RFC 9110 field-value without obs-text, so that neither CR nor LF can start another header. */
const HeaderValue = z
  .string()
  .regex(
    /^[\x21-\x7e](?:[\x20-\x7e]{0,4094}[\x21-\x7e])?$/,
    'must be 1 to 4,096 ASCII characters, without line breaks',
  );
/** RFC 7617: neither may have control characters, and the username no colon. */
const basicPart = (name: string, pattern: RegExp) => z.string().max(500).regex(pattern, `must be a ${name}`);

export const DestinationAuthInput = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('BEARER'), token: HeaderValue }),
  z.strictObject({
    type: z.literal('BASIC'),
    username: basicPart('username without a colon', /^[^\p{Cc}:\p{Cs}]*$/u),
    password: basicPart('password without control characters', /^[^\p{Cc}\p{Cs}]*$/u),
  }),
  z.strictObject({ type: z.literal('HEADER'), name: CredentialHeader, value: HeaderValue }),
]);

export const CreateDestinationBody = z.strictObject({
  url: TargetUrl,
  description: text(500).nullish(),
  enabled: z.boolean().default(true),
  retrySeconds: RetrySeconds.default([]),
  auth: DestinationAuthInput.nullish().meta({
    description: 'The credential that the receiver requires; never returned',
  }),
  signing: z
    .boolean()
    .default(false)
    .meta({ description: 'Whether its deliveries are signed, like those to endpoints' }),
});
export type CreateDestinationBody = z.infer<typeof CreateDestinationBody>;

export const UpdateDestinationBody = z.strictObject({
  url: TargetUrl.optional(),
  description: text(500).nullish(),
  enabled: z.boolean().optional(),
  pauseReason: text(200).nullish().meta({ description: 'Why it is paused; only if the destination is not enabled' }),
  retrySeconds: RetrySeconds.optional(),
  auth: DestinationAuthInput.nullish().meta({ description: 'Replaces the credential; null removes it' }),
});
export type UpdateDestinationBody = z.infer<typeof UpdateDestinationBody>;

/** What is shown of a credential. */
export const DestinationAuth = z.discriminatedUnion('type', [
  z.object({ type: z.literal('BEARER') }),
  z.object({ type: z.literal('BASIC'), username: z.string() }),
  z.object({ type: z.literal('HEADER'), name: z.string() }),
  z
    .object({ type: z.literal('UNREADABLE') })
    .meta({ description: 'No key in ENCRYPTION_KEY decrypts the credential: set it again' }),
]);
export type DestinationAuth = z.infer<typeof DestinationAuth>;

export const Destination = z.object({
  id: Id,
  sourceId: Id,
  url: z.string(),
  description: z.string().nullable(),
  enabled: z.boolean(),
  disabledReason: z.string().nullable(),
  disabledAt: z.string().nullable(),
  pauseReason: z.string().nullable(),
  failingSince: z.string().nullable(),
  retrySeconds: z.array(z.int()),
  auth: DestinationAuth.nullable(),
  hasSecret: z.boolean().meta({ description: 'Whether its deliveries are signed' }),
  previousSecretExpiresAt: z.string().nullable(),
  createdAt: z.string(),
  updatedAt: z.string(),
});
export type Destination = z.infer<typeof Destination>;

export const DestinationSecret = z.object({ secret: z.string(), previousSecretExpiresAt: z.string().nullable() });
export type DestinationSecret = z.infer<typeof DestinationSecret>;

/** The response to a provider. */
export const IncomingEventReceipt = z.object({ id: Id, createdAt: z.string() });
export type IncomingEventReceipt = z.infer<typeof IncomingEventReceipt>;

export const IncomingEvent = z.object({
  id: Id,
  sourceId: Id,
  verified: z
    .boolean()
    .nullable()
    .meta({ description: 'Whether the signature is valid; null if the source has no signatures' }),
  method: z.string(),
  query: z.string().nullable().meta({
    description:
      'The query string, without `?`; null without one. `[redacted]` replaces tokens and signatures for viewers and read-only keys',
  }),
  contentType: z.string().nullable(),
  size: z.int().meta({ description: 'Size of the body in bytes' }),
  createdAt: z.string(),
});
export type IncomingEvent = z.infer<typeof IncomingEvent>;

export const IncomingEventDetail = IncomingEvent.extend({
  providerEventId: z.string().nullable(),
  headers: z.array(z.tuple([z.string(), z.string()])).meta({
    description: 'In order of arrival. `[redacted]` replaces tokens, and signatures for viewers and read-only keys',
  }),
  body: z.string().nullable().meta({ description: 'The body as text; null if it is not UTF-8' }),
  bodyBase64: z.string().nullable().meta({ description: 'The body in Base64, if it is not UTF-8' }),
});
export type IncomingEventDetail = z.infer<typeof IncomingEventDetail>;

export const ListIncomingEventsQuery = PageQuery.extend({
  id: Id.optional().meta({ description: 'Only the incoming event with this id' }),
  sourceId: Id.optional(),
  verified: z
    .enum(['true', 'false', 'none'])
    .optional()
    .meta({ description: 'Only events with this signature state; `none`: the source has no signatures' }),
  from: Instant.optional(),
  to: Instant.optional(),
});
export type ListIncomingEventsQuery = z.infer<typeof ListIncomingEventsQuery>;

export const ReplayIncomingEventBody = z.strictObject({
  destinationId: Id.optional().meta({ description: 'Only this destination. Default: every enabled destination' }),
});
export type ReplayIncomingEventBody = z.infer<typeof ReplayIncomingEventBody>;

export const ReplayedIncomingEvent = z.object({ deliveryIds: z.array(Id) });
export type ReplayedIncomingEvent = z.infer<typeof ReplayedIncomingEvent>;

export const CreateReplayBody = z.strictObject({
  sourceId: Id,
  destinationId: Id.optional().meta({ description: 'Only this destination. Default: every enabled destination' }),
  from: Instant.optional(),
  to: Instant.optional().meta({ description: 'Default: now' }),
});
export type CreateReplayBody = z.infer<typeof CreateReplayBody>;

export const ReplayStatus = z.enum(['RUNNING', 'COMPLETED', 'CANCELED', 'FAILED']);
export type ReplayStatus = z.infer<typeof ReplayStatus>;

export const Replay = z.object({
  id: Id,
  sourceId: Id,
  destinationId: Id.nullable(),
  from: z.string().nullable(),
  to: z.string(),
  status: ReplayStatus,
  total: z.int().meta({ description: 'Number of matching incoming events when it was created' }),
  replayed: z.int().meta({ description: 'Number of incoming events whose deliveries are queued' }),
  error: z.string().nullable(),
  createdAt: z.string(),
  completedAt: z.string().nullable(),
});
export type Replay = z.infer<typeof Replay>;
