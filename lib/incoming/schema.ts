import * as z from 'zod';
import {
  CREATE_TARGET,
  EndpointSecret,
  GracePeriodHours,
  PreviousSecretExpiresAt,
  RotateSecretBody,
  TARGET,
  TRIES,
  updateTarget,
} from '@/lib/delivery/schema';
import { SearchMatch } from '@/lib/events/schema';
import { field } from '@/lib/platform/field';
import { Id } from '@/lib/platform/ids';
import { CREATED_WITHIN, CreatedAt, Instant, Time, UpdatedAt } from '@/lib/platform/instant';
import { METADATA } from '@/lib/platform/metadata';
import { ClientAddress, ContentSearch, PageQuery } from '@/lib/platform/pagination';
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
  'TOKEN',
  'GITLAB',
  'TELEGRAM',
  'PADDLE',
  'CALENDLY',
  'ZENDESK',
  'HUBSPOT',
  'SQUARE',
  'META',
  'ZOOM',
  'MICROSOFT_GRAPH',
  'DISCORD',
]);
export type SourceProvider = z.infer<typeof SourceProvider>;

export const SignatureEncoding = z.enum(['hex', 'base64']);
export type SignatureEncoding = z.infer<typeof SignatureEncoding>;

/** RFC 9110 token. */
const HeaderName = z.string().regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/, 'must be the name of a header');
const SignaturePrefix = z.string().regex(/^[\x21-\x7e]{0,50}$/, 'must be at most 50 visible ASCII characters');
const SignatureAlgorithm = z.enum(['SHA256', 'SHA1', 'SHA512']);
const SecretEncoding = z.enum(['text', 'hex', 'base64']);
/** The name of an item in a list such as `t=1700000000,v1=ab`. */
const ItemName = z
  .string()
  .regex(/^[A-Za-z0-9_.-]{0,50}$/, 'must be at most 50 letters, digits, dots, dashes and underscores');
const OptionalHeaderName = z
  .string()
  .regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]{0,100}$/, 'must be the name of a header, or empty');

/** Returns why a template of what is signed is invalid; undefined for a valid one. */
export function templateFault(template: string): string | undefined {
  if (template.length > 200 || !/^[\x20-\x7e\n]*$/.test(template)) return 'must be at most 200 ASCII characters';
  if (template.split('{body}').length !== 2) return 'must contain {body} once';
  const rest = template.replaceAll(/\{(?:body|timestamp|id|url|method)\}/g, '');
  return /[{}]/.test(rest) ? 'may only contain {body}, {timestamp}, {id}, {url} and {method} in braces' : undefined;
}

const SignedContent = z.string().superRefine((template, context) => {
  const message = templateFault(template);
  if (message !== undefined) context.addIssue({ code: 'custom', message });
});

const SigningSecret = field(text(500), 'The secret that the provider signs with, its token, or its public key');

/** Where a source finds its signature, and what is signed, by the name of the field. */
const FORM_TEXT = {
  signatureHeader: 'Name of the header with the signature or token, for `GENERIC_HMAC` and `TOKEN`',
  signaturePrefix: 'Text before it, such as `sha256=` or `Bearer`, for `GENERIC_HMAC` and `TOKEN`',
  signatureEncoding: 'Encoding of the signature, for `GENERIC_HMAC`',
  signatureKey: 'Name of the signature in a list such as `t=1700000000,v1=ab`, for `GENERIC_HMAC`',
  signatureAlgorithm: 'Hash of the HMAC, for `GENERIC_HMAC`',
  signedContent:
    'What is signed, for `GENERIC_HMAC`: `{body}` once, with `{timestamp}`, `{id}`, `{url}` and `{method}`',
  timestampHeader: 'Name of the header with the signed time, for `GENERIC_HMAC`; empty for that of the signature',
  timestampKey: 'Name of the signed time in a list, for `GENERIC_HMAC`',
  idHeader: 'Name of the header whose id recognizes retries, for `GENERIC_HMAC` and `TOKEN`',
  secretEncoding: 'Encoding of the secret, for `GENERIC_HMAC`',
} as const;

/** The fields of a body that say how requests are signed. */
const FORM_FIELDS = {
  signatureHeader: field(
    HeaderName.optional(),
    `${FORM_TEXT.signatureHeader}; default \`X-Signature\` or \`X-Webhook-Token\``,
  ),
  signatureEncoding: field(SignatureEncoding.optional(), `${FORM_TEXT.signatureEncoding}; default \`hex\``),
  signaturePrefix: field(SignaturePrefix.optional(), FORM_TEXT.signaturePrefix),
  signatureKey: field(ItemName.optional(), FORM_TEXT.signatureKey),
  signatureAlgorithm: field(SignatureAlgorithm.optional(), `${FORM_TEXT.signatureAlgorithm}; default \`SHA256\``),
  signedContent: field(SignedContent.optional(), `${FORM_TEXT.signedContent}. Default \`{body}\``),
  timestampHeader: field(OptionalHeaderName.optional(), FORM_TEXT.timestampHeader),
  timestampKey: field(ItemName.optional(), FORM_TEXT.timestampKey),
  idHeader: field(OptionalHeaderName.optional(), FORM_TEXT.idHeader),
  secretEncoding: field(SecretEncoding.optional(), `${FORM_TEXT.secretEncoding}. Default \`text\``),
} as const;

export const CreateSourceBody = z
  .strictObject({
    name: field(Name, 'Its name'),
    provider: field(SourceProvider.default('NONE'), 'The provider, which determines how signatures are verified'),
    secret: SigningSecret.optional(),
    ...FORM_FIELDS,
    metadata: METADATA.create,
    enabled: field(z.boolean().default(true), 'Whether it is enabled'),
  })
  .meta({ examples: [{ name: 'GitHub', provider: 'GITHUB' }] });
export type CreateSourceBody = z.infer<typeof CreateSourceBody>;

export const UpdateSourceBody = z
  .strictObject({
    name: field(Name.optional(), 'Its name'),
    secret: SigningSecret.optional(),
    ...FORM_FIELDS,
    metadata: METADATA.update,
    enabled: field(z.boolean().optional(), 'Whether it is enabled'),
  })
  .meta({ examples: [{ name: 'GitHub', enabled: true }] });
export type UpdateSourceBody = z.infer<typeof UpdateSourceBody>;

export const Source = z.object({
  id: Id,
  name: field(z.string(), 'Its name', 'GitHub'),
  provider: field(SourceProvider, 'The provider, which determines how signatures are verified', 'GITHUB'),
  url: field(
    z.string().nullable(),
    'The URL that the provider posts to; null for viewers and read-only keys, and if no key in ENCRYPTION_KEY decrypts it: rotate it',
    'https://events.example.com/api/v1/ingress/src_4hZkXq3kV2m9',
  ),
  previousUrlExpiresAt: field(Time.nullable(), 'When the previous URL stops working; null if there is none', null),
  hasSecret: field(z.boolean(), 'Whether a secret is set; without one, signed requests cannot be verified'),
  previousSecretExpiresAt: PreviousSecretExpiresAt,
  signatureHeader: field(z.string().nullable(), FORM_TEXT.signatureHeader),
  signatureEncoding: field(SignatureEncoding.nullable(), FORM_TEXT.signatureEncoding, null),
  signaturePrefix: field(z.string().nullable(), FORM_TEXT.signaturePrefix),
  signatureKey: field(z.string().nullable(), FORM_TEXT.signatureKey, null),
  signatureAlgorithm: field(SignatureAlgorithm.nullable(), FORM_TEXT.signatureAlgorithm, null),
  signedContent: field(z.string().nullable(), FORM_TEXT.signedContent, null),
  timestampHeader: field(z.string().nullable(), FORM_TEXT.timestampHeader, null),
  timestampKey: field(z.string().nullable(), FORM_TEXT.timestampKey, null),
  idHeader: field(z.string().nullable(), FORM_TEXT.idHeader, null),
  secretEncoding: field(SecretEncoding.nullable(), FORM_TEXT.secretEncoding, null),
  metadata: METADATA.shown,
  enabled: field(z.boolean(), 'A disabled source responds with 404'),
  createdAt: CreatedAt,
  updatedAt: UpdatedAt,
});
export type Source = z.infer<typeof Source>;

export const SourceSecret = z.object(EndpointSecret.shape);
export type SourceSecret = z.infer<typeof SourceSecret>;

export const RotateSourceSecretBody = z.strictObject({
  secret: field(
    SigningSecret.optional(),
    'Required if the provider generates the secret',
    'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  ),
  gracePeriodHours: RotateSecretBody.shape.gracePeriodHours,
});
export type RotateSourceSecretBody = z.infer<typeof RotateSourceSecretBody>;

export const RotateSourceUrlBody = z.strictObject({
  gracePeriodHours: field(GracePeriodHours, 'Hours that the old URL keeps working', 24),
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

export const BearerCredentialInput = z.strictObject({
  type: field(z.literal('BEARER'), 'The kind of credential'),
  token: field(HeaderValue, 'Sent as `Authorization: Bearer …`', 'sSqL0mJ1'),
});

export const BasicCredentialInput = z.strictObject({
  type: field(z.literal('BASIC'), 'The kind of credential'),
  username: field(basicPart('username without a colon', /^[^\p{Cc}:\p{Cs}]*$/u), 'The username', 'shop'),
  password: field(
    basicPart('password without control characters', /^[^\p{Cc}\p{Cs}]*$/u),
    'The password',
    'seven tall ships',
  ),
});

export const HeaderCredentialInput = z.strictObject({
  type: field(z.literal('HEADER'), 'The kind of credential'),
  name: field(CredentialHeader, 'The name of the header', 'X-Api-Key'),
  value: field(HeaderValue, 'The value of the header'),
});

export const DestinationAuthInput = z.discriminatedUnion('type', [
  BearerCredentialInput,
  BasicCredentialInput,
  HeaderCredentialInput,
]);

export const CreateDestinationBody = z.strictObject({
  ...CREATE_TARGET,
  metadata: METADATA.create,
  auth: field(DestinationAuthInput.nullish(), 'The credential that the receiver requires; never returned'),
  signing: field(z.boolean().default(false), 'Whether its deliveries are signed, like those to endpoints'),
});
export type CreateDestinationBody = z.infer<typeof CreateDestinationBody>;

export const UpdateDestinationBody = z
  .strictObject({
    ...updateTarget('destination'),
    metadata: METADATA.update,
    auth: field(DestinationAuthInput.nullish(), 'Replaces the credential; null removes it'),
  })
  .meta({ examples: [{ url: 'https://example.com/webhooks', auth: { type: 'BEARER', token: 'sSqL0mJ1' } }] });
export type UpdateDestinationBody = z.infer<typeof UpdateDestinationBody>;

export const BearerCredential = z.object({ type: field(z.literal('BEARER'), 'The kind of credential') });

export const BasicCredential = z.object({
  type: field(z.literal('BASIC'), 'The kind of credential'),
  username: field(z.string(), 'The username', 'shop'),
});

export const HeaderCredential = z.object({
  type: field(z.literal('HEADER'), 'The kind of credential'),
  name: field(z.string(), 'The name of the header', 'X-Api-Key'),
});

export const UnreadableCredential = field(
  z.object({ type: field(z.literal('UNREADABLE'), 'The kind of credential') }),
  'No key in ENCRYPTION_KEY decrypts the credential: set it again',
);

/** What is shown of a credential. */
export const DestinationAuth = z.discriminatedUnion('type', [
  BearerCredential,
  BasicCredential,
  HeaderCredential,
  UnreadableCredential,
]);
export type DestinationAuth = z.infer<typeof DestinationAuth>;

export const Destination = z.object({
  id: Id,
  sourceId: field(Id, 'The source'),
  ...TARGET,
  metadata: METADATA.shown,
  auth: field(DestinationAuth.nullable(), 'How forwards authenticate; null if no credential is set'),
  hasSecret: field(z.boolean(), 'Whether its deliveries are signed'),
  previousSecretExpiresAt: PreviousSecretExpiresAt,
  createdAt: CreatedAt,
  updatedAt: UpdatedAt,
});
export type Destination = z.infer<typeof Destination>;

export const DestinationSecret = z.object(EndpointSecret.shape);
export type DestinationSecret = z.infer<typeof DestinationSecret>;

/** The response to a provider. */
export const IncomingEventReceipt = z.object({ id: Id, createdAt: CreatedAt });
export type IncomingEventReceipt = z.infer<typeof IncomingEventReceipt>;

export const IncomingEvent = z.object({
  id: Id,
  sourceId: field(Id, 'The source'),
  verified: field(z.boolean().nullable(), 'Whether the signature is valid; null if the source has no signatures', true),
  method: field(z.string(), 'The HTTP method of the request', 'POST'),
  query: field(
    z.string().nullable(),
    'The query string, without `?`; null without one. `[redacted]` replaces tokens and signatures for viewers and read-only keys',
  ),
  contentType: field(z.string().nullable(), 'The Content-Type of the request; null if absent', 'application/json'),
  eventType: field(
    z.string().nullable(),
    'The type of the event, as the provider names it in a header or at the start of the body; null if it names none',
    'invoice.paid',
  ),
  size: field(z.int(), 'Size of the body in bytes', 23),
  clientAddress: field(z.string().nullable(), 'The address of the client that sent it; null if unknown', '203.0.113.7'),
  createdAt: CreatedAt,
});
export type IncomingEvent = z.infer<typeof IncomingEvent>;

export const IncomingEventListItem = IncomingEvent.extend({
  match: field(SearchMatch.optional(), 'Where the body has the text of `q`; absent without one, or if the id has it'),
});
export type IncomingEventListItem = z.infer<typeof IncomingEventListItem>;

export const IncomingEventDetail = IncomingEvent.extend({
  providerEventId: field(z.string().nullable(), 'The provider’s id for the event; null if there is none', 'evt_1Nx4k2'),
  headers: field(
    z.array(z.tuple([z.string(), z.string()])),
    'In order of arrival. `[redacted]` replaces tokens, and signatures for viewers and read-only keys',
    [['content-type', 'application/json']],
  ),
  body: field(
    z.string().nullable(),
    'The first 512 KiB of the body as text; null if they are not UTF-8',
    '{"order":"ord_8f2c1"}',
  ),
  bodyBase64: field(z.string().nullable(), 'The first 512 KiB of the body in Base64, if they are not UTF-8'),
  bodyTruncated: field(z.boolean(), 'Whether the body is longer: `size` bytes, which the download has', false),
});
export type IncomingEventDetail = z.infer<typeof IncomingEventDetail>;

const IncomingEventType = z
  .string()
  .regex(/^[^\p{Cc}]{1,200}$/u, 'must be 1 to 200 characters, without control characters');

export const ListIncomingEventsQuery = PageQuery.extend({
  id: field(Id.optional(), 'Only the incoming event with this id'),
  q: field(
    ContentSearch.optional(),
    'The id of an incoming event, or the provider’s id for it. If there is none: only events that were sent from this address, or whose body contains all its words. White space between the tokens of JSON does not matter: `"id": 42` finds `"id":42`. Texts over 64 characters and bodies over 8 KiB are not searched',
    'ord_8f2c1',
  ),
  sourceId: field(Id.optional(), 'Only items of this source'),
  eventType: field(
    IncomingEventType.optional(),
    'Only events of this type, or with `invoice.*` of all types below it',
    'invoice.paid',
  ),
  clientAddress: field(ClientAddress.optional(), 'Only events that were sent from this address', '203.0.113.7'),
  verified: field(
    z.enum(['true', 'false', 'none']).optional(),
    'Only events with this signature state; `none`: the source has no signatures',
  ),
  ...CREATED_WITHIN,
});
export type ListIncomingEventsQuery = z.infer<typeof ListIncomingEventsQuery>;

export const IncomingEventTypes = z.object({
  data: field(z.array(z.string()), 'Types of incoming events in alphabetical order, at most 200'),
});
export type IncomingEventTypes = z.infer<typeof IncomingEventTypes>;

export const ReplayIncomingEventBody = z.strictObject({
  destinationId: field(Id.optional(), 'Only this destination. Default: every enabled destination'),
});
export type ReplayIncomingEventBody = z.infer<typeof ReplayIncomingEventBody>;

export const ReplayedIncomingEvent = z.object({
  deliveryIds: field(z.array(Id), 'The deliveries that forward it'),
});
export type ReplayedIncomingEvent = z.infer<typeof ReplayedIncomingEvent>;

export const CreateReplayBody = z.strictObject({
  sourceId: field(Id, 'The source'),
  destinationId: field(Id.optional(), 'Only this destination. Default: every enabled destination'),
  from: field(Instant.optional(), 'Start of the range to replay; absent: from the beginning'),
  to: field(Instant.optional(), 'Default: now', '2026-02-01T09:30:00.000Z'),
});
export type CreateReplayBody = z.infer<typeof CreateReplayBody>;

export const ReplayStatus = z.enum(['RUNNING', 'COMPLETED', 'CANCELED', 'FAILED']);
export type ReplayStatus = z.infer<typeof ReplayStatus>;

export const Replay = z.object({
  id: Id,
  sourceId: field(Id, 'The source'),
  destinationId: field(Id.nullable(), 'Only this destination; null: every enabled destination'),
  from: field(Time.nullable(), 'Start of the range to replay; null: from the beginning'),
  to: field(Time, 'End of the range to replay', '2026-02-01T09:30:00.000Z'),
  status: field(ReplayStatus, 'The current status'),
  total: field(z.int(), 'Number of matching incoming events when it was created'),
  replayed: field(z.int(), 'Number of incoming events whose deliveries are queued'),
  ...TRIES,
  createdAt: CreatedAt,
  completedAt: field(Time.nullable(), 'When it ended; null before that', null),
});
export type Replay = z.infer<typeof Replay>;
