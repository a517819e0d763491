import * as z from 'zod';
import { RetrySeconds, TargetUrl } from '@/lib/delivery/schema';
import { Id } from '@/lib/platform/ids';
import { CreatedAt, Instant, Time, UpdatedAt } from '@/lib/platform/instant';
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

export const CreateSourceBody = z
  .strictObject({
    name: Name.meta({ description: 'Its name' }),
    provider: SourceProvider.default('NONE').meta({
      description: 'The provider, which determines how signatures are verified',
    }),
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
    enabled: z.boolean().default(true).meta({ description: 'Whether it is enabled' }),
  })
  .meta({ examples: [{ name: 'GitHub', provider: 'GITHUB' }] });
export type CreateSourceBody = z.infer<typeof CreateSourceBody>;

export const UpdateSourceBody = z
  .strictObject({
    name: Name.optional().meta({ description: 'Its name' }),
    secret: SigningSecret.optional(),
    signatureHeader: HeaderName.optional().meta({
      description: 'Name of the header with the signature, for `GENERIC_HMAC`',
    }),
    signatureEncoding: SignatureEncoding.optional().meta({
      description: 'Encoding of the signature, for `GENERIC_HMAC`',
    }),
    signaturePrefix: SignaturePrefix.optional().meta({
      description: 'Text before the signature, such as `sha256=`, for `GENERIC_HMAC`',
    }),
    enabled: z.boolean().optional().meta({ description: 'Whether it is enabled' }),
  })
  .meta({ examples: [{ name: 'GitHub', enabled: true }] });
export type UpdateSourceBody = z.infer<typeof UpdateSourceBody>;

export const Source = z.object({
  id: Id,
  name: z.string().meta({ description: 'Its name', examples: ['GitHub'] }),
  provider: SourceProvider.meta({
    description: 'The provider, which determines how signatures are verified',
    examples: ['GITHUB'],
  }),
  url: z
    .string()
    .nullable()
    .meta({
      description:
        'The URL that the provider posts to; null for viewers and read-only keys, and if no key in ENCRYPTION_KEY decrypts it: rotate it',
      examples: ['https://events.example.com/api/v1/ingress/src_4hZkXq3kV2m9'],
    }),
  previousUrlExpiresAt: Time.nullable().meta({
    description: 'When the previous URL stops working; null if there is none',
    examples: [null],
  }),
  hasSecret: z
    .boolean()
    .meta({ description: 'Whether a secret is set; without one, signed requests cannot be verified' }),
  previousSecretExpiresAt: Time.nullable().meta({
    description: 'When the previous secret stops being used; null if there is none',
    examples: [null],
  }),
  signatureHeader: z
    .string()
    .nullable()
    .meta({ description: 'Name of the header with the signature, for `GENERIC_HMAC`' }),
  signatureEncoding: SignatureEncoding.nullable().meta({
    description: 'Encoding of the signature, for `GENERIC_HMAC`',
    examples: [null],
  }),
  signaturePrefix: z
    .string()
    .nullable()
    .meta({ description: 'Text before the signature, such as `sha256=`, for `GENERIC_HMAC`' }),
  enabled: z.boolean().meta({ description: 'A disabled source responds with 404' }),
  createdAt: CreatedAt,
  updatedAt: UpdatedAt,
});
export type Source = z.infer<typeof Source>;

export const SourceSecret = z.object({
  secret: z.string().meta({ description: 'The signing secret', examples: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'] }),
  previousSecretExpiresAt: Time.nullable().meta({
    description: 'When the previous secret stops being used; null if there is none',
    examples: [null],
  }),
});
export type SourceSecret = z.infer<typeof SourceSecret>;

export const RotateSourceSecretBody = z.strictObject({
  secret: SigningSecret.optional().meta({
    description: 'Required if the provider generates the secret',
    examples: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
  }),
});
export type RotateSourceSecretBody = z.infer<typeof RotateSourceSecretBody>;

const MAX_GRACE_HOURS = 168;
export const RotateSourceUrlBody = z.strictObject({
  gracePeriodHours: z
    .int()
    .min(0)
    .max(MAX_GRACE_HOURS)
    .default(24)
    .meta({ description: 'Hours that the old URL keeps working', examples: [24] }),
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
  z.strictObject({
    type: z.literal('BEARER').meta({ description: 'The kind of credential' }),
    token: HeaderValue.meta({ description: 'Sent as `Authorization: Bearer …`', examples: ['sSqL0mJ1'] }),
  }),
  z.strictObject({
    type: z.literal('BASIC').meta({ description: 'The kind of credential' }),
    username: basicPart('username without a colon', /^[^\p{Cc}:\p{Cs}]*$/u).meta({
      description: 'The username',
      examples: ['shop'],
    }),
    password: basicPart('password without control characters', /^[^\p{Cc}\p{Cs}]*$/u).meta({
      description: 'The password',
      examples: ['seven tall ships'],
    }),
  }),
  z.strictObject({
    type: z.literal('HEADER').meta({ description: 'The kind of credential' }),
    name: CredentialHeader.meta({ description: 'The name of the header', examples: ['X-Api-Key'] }),
    value: HeaderValue.meta({ description: 'The value of the header' }),
  }),
]);

export const CreateDestinationBody = z.strictObject({
  url: TargetUrl.meta({
    description: 'Target URL: http or https, without a username or fragment',
    examples: ['https://example.com/webhooks'],
  }),
  description: text(500)
    .nullish()
    .meta({ description: 'What it is for', examples: ['Billing'] }),
  enabled: z.boolean().default(true).meta({ description: 'Whether it is enabled' }),
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

export const UpdateDestinationBody = z
  .strictObject({
    url: TargetUrl.optional().meta({ description: 'Target URL: http or https, without a username or fragment' }),
    description: text(500).nullish().meta({ description: 'What it is for' }),
    enabled: z.boolean().optional().meta({ description: 'Whether it is enabled' }),
    pauseReason: text(200).nullish().meta({ description: 'Why it is paused; only if the destination is not enabled' }),
    retrySeconds: RetrySeconds.optional(),
    auth: DestinationAuthInput.nullish().meta({ description: 'Replaces the credential; null removes it' }),
  })
  .meta({ examples: [{ url: 'https://example.com/webhooks', auth: { type: 'BEARER', token: 'sSqL0mJ1' } }] });
export type UpdateDestinationBody = z.infer<typeof UpdateDestinationBody>;

/** What is shown of a credential. */
export const DestinationAuth = z.discriminatedUnion('type', [
  z.object({ type: z.literal('BEARER').meta({ description: 'The kind of credential' }) }),
  z.object({
    type: z.literal('BASIC').meta({ description: 'The kind of credential' }),
    username: z.string().meta({ description: 'The username', examples: ['shop'] }),
  }),
  z.object({
    type: z.literal('HEADER').meta({ description: 'The kind of credential' }),
    name: z.string().meta({ description: 'The name of the header', examples: ['X-Api-Key'] }),
  }),
  z
    .object({ type: z.literal('UNREADABLE').meta({ description: 'The kind of credential' }) })
    .meta({ description: 'No key in ENCRYPTION_KEY decrypts the credential: set it again' }),
]);
export type DestinationAuth = z.infer<typeof DestinationAuth>;

export const Destination = z.object({
  id: Id,
  sourceId: Id.meta({ description: 'The source' }),
  url: z.string().meta({
    description: 'Target URL: http or https, without a username or fragment',
    examples: ['https://example.com/webhooks'],
  }),
  description: z
    .string()
    .nullable()
    .meta({ description: 'What it is for', examples: ['Billing'] }),
  enabled: z.boolean().meta({ description: 'Whether it is enabled' }),
  disabledReason: z.string().nullable().meta({
    description: '`gone`: it responded with 410. `failing`: every attempt failed for 120 hours. Null otherwise',
  }),
  disabledAt: Time.nullable().meta({
    description: 'When the service or a person disabled it; null while it is enabled',
    examples: [null],
  }),
  pauseReason: z.string().nullable().meta({ description: 'Why a person paused it; null if no reason was given' }),
  failingSince: Time.nullable().meta({
    description: 'When attempts started to fail without a success; null if the last one succeeded',
    examples: [null],
  }),
  retrySeconds: z.array(z.int()).meta({
    description: 'Seconds to wait before each retry; empty: the deployment’s schedule',
    examples: [[5, 300, 1800]],
  }),
  auth: DestinationAuth.nullable().meta({ description: 'How forwards authenticate; null if no credential is set' }),
  hasSecret: z.boolean().meta({ description: 'Whether its deliveries are signed' }),
  previousSecretExpiresAt: Time.nullable().meta({
    description: 'When the previous secret stops being used; null if there is none',
    examples: [null],
  }),
  createdAt: CreatedAt,
  updatedAt: UpdatedAt,
});
export type Destination = z.infer<typeof Destination>;

export const DestinationSecret = z.object({
  secret: z.string().meta({ description: 'The signing secret', examples: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'] }),
  previousSecretExpiresAt: Time.nullable().meta({
    description: 'When the previous secret stops being used; null if there is none',
    examples: [null],
  }),
});
export type DestinationSecret = z.infer<typeof DestinationSecret>;

/** The response to a provider. */
export const IncomingEventReceipt = z.object({ id: Id, createdAt: CreatedAt });
export type IncomingEventReceipt = z.infer<typeof IncomingEventReceipt>;

export const IncomingEvent = z.object({
  id: Id,
  sourceId: Id.meta({ description: 'The source' }),
  verified: z
    .boolean()
    .nullable()
    .meta({ description: 'Whether the signature is valid; null if the source has no signatures', examples: [true] }),
  method: z.string().meta({ description: 'The HTTP method of the request', examples: ['POST'] }),
  query: z.string().nullable().meta({
    description:
      'The query string, without `?`; null without one. `[redacted]` replaces tokens and signatures for viewers and read-only keys',
  }),
  contentType: z
    .string()
    .nullable()
    .meta({ description: 'The Content-Type of the request; null if absent', examples: ['application/json'] }),
  size: z.int().meta({ description: 'Size of the body in bytes', examples: [23] }),
  createdAt: CreatedAt,
});
export type IncomingEvent = z.infer<typeof IncomingEvent>;

export const IncomingEventDetail = IncomingEvent.extend({
  providerEventId: z
    .string()
    .nullable()
    .meta({ description: 'The provider’s id for the event; null if there is none', examples: ['evt_1Nx4k2'] }),
  headers: z.array(z.tuple([z.string(), z.string()])).meta({
    description: 'In order of arrival. `[redacted]` replaces tokens, and signatures for viewers and read-only keys',
    examples: [[['content-type', 'application/json']]],
  }),
  body: z
    .string()
    .nullable()
    .meta({ description: 'The body as text; null if it is not UTF-8', examples: ['{"order":"ord_8f2c1"}'] }),
  bodyBase64: z.string().nullable().meta({ description: 'The body in Base64, if it is not UTF-8' }),
});
export type IncomingEventDetail = z.infer<typeof IncomingEventDetail>;

export const ListIncomingEventsQuery = PageQuery.extend({
  id: Id.optional().meta({ description: 'Only the incoming event with this id' }),
  sourceId: Id.optional().meta({ description: 'Only items of this source' }),
  verified: z
    .enum(['true', 'false', 'none'])
    .optional()
    .meta({ description: 'Only events with this signature state; `none`: the source has no signatures' }),
  from: Instant.optional().meta({ description: 'Only items created at or after this time' }),
  to: Instant.optional().meta({ description: 'Only items created at or before this time' }),
});
export type ListIncomingEventsQuery = z.infer<typeof ListIncomingEventsQuery>;

export const ReplayIncomingEventBody = z.strictObject({
  destinationId: Id.optional().meta({ description: 'Only this destination. Default: every enabled destination' }),
});
export type ReplayIncomingEventBody = z.infer<typeof ReplayIncomingEventBody>;

export const ReplayedIncomingEvent = z.object({
  deliveryIds: z.array(Id).meta({ description: 'The deliveries that forward it' }),
});
export type ReplayedIncomingEvent = z.infer<typeof ReplayedIncomingEvent>;

export const CreateReplayBody = z.strictObject({
  sourceId: Id.meta({ description: 'The source' }),
  destinationId: Id.optional().meta({ description: 'Only this destination. Default: every enabled destination' }),
  from: Instant.optional().meta({ description: 'Start of the range to replay; absent: from the beginning' }),
  to: Instant.optional().meta({ description: 'Default: now', examples: ['2026-02-01T09:30:00.000Z'] }),
});
export type CreateReplayBody = z.infer<typeof CreateReplayBody>;

export const ReplayStatus = z.enum(['RUNNING', 'COMPLETED', 'CANCELED', 'FAILED']);
export type ReplayStatus = z.infer<typeof ReplayStatus>;

export const Replay = z.object({
  id: Id,
  sourceId: Id.meta({ description: 'The source' }),
  destinationId: Id.nullable().meta({ description: 'Only this destination; null: every enabled destination' }),
  from: Time.nullable().meta({ description: 'Start of the range to replay; null: from the beginning' }),
  to: Time.meta({ description: 'End of the range to replay', examples: ['2026-02-01T09:30:00.000Z'] }),
  status: ReplayStatus.meta({ description: 'The current status' }),
  total: z.int().meta({ description: 'Number of matching incoming events when it was created' }),
  replayed: z.int().meta({ description: 'Number of incoming events whose deliveries are queued' }),
  error: z.string().nullable().meta({ description: 'What went wrong; null if nothing did' }),
  createdAt: CreatedAt,
  completedAt: Time.nullable().meta({ description: 'When it ended; null before that', examples: [null] }),
});
export type Replay = z.infer<typeof Replay>;
