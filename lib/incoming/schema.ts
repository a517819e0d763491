import * as z from 'zod';
import { Id } from '@/lib/platform/ids';
import { Instant } from '@/lib/platform/instant';
import { PageQuery } from '@/lib/platform/pagination';
import { Name, text } from '@/lib/platform/text';

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
  signatureHeader: HeaderName.optional().meta({ description: 'For GENERIC_HMAC; default X-Signature' }),
  signatureEncoding: SignatureEncoding.optional().meta({ description: 'For GENERIC_HMAC; default hex' }),
  signaturePrefix: SignaturePrefix.optional().meta({ description: 'For GENERIC_HMAC, such as sha256=' }),
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
  url: z.string().meta({ description: 'The address that the provider posts to' }),
  previousUrlExpiresAt: z.string().nullable(),
  hasSecret: z.boolean().meta({ description: 'Without one, no request of a provider that signs can be verified' }),
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
  secret: SigningSecret.optional().meta({ description: 'Required where the provider makes the secret' }),
});
export type RotateSourceSecretBody = z.infer<typeof RotateSourceSecretBody>;

const MAX_GRACE_HOURS = 168;
export const RotateSourceUrlBody = z.strictObject({
  gracePeriodHours: z
    .int()
    .min(0)
    .max(MAX_GRACE_HOURS)
    .default(24)
    .meta({ description: 'How long the old URL keeps working' }),
});
export type RotateSourceUrlBody = z.infer<typeof RotateSourceUrlBody>;

/** The answer to a provider. */
export const IncomingEventReceipt = z.object({ id: Id, createdAt: z.string() });
export type IncomingEventReceipt = z.infer<typeof IncomingEventReceipt>;

export const IncomingEvent = z.object({
  id: Id,
  sourceId: Id,
  verified: z.boolean().nullable().meta({ description: 'Null for a source without signatures' }),
  method: z.string(),
  contentType: z.string().nullable(),
  size: z.int().meta({ description: 'Bytes of the body' }),
  createdAt: z.string(),
});
export type IncomingEvent = z.infer<typeof IncomingEvent>;

export const IncomingEventDetail = IncomingEvent.extend({
  providerEventId: z.string().nullable(),
  headers: z.array(z.tuple([z.string(), z.string()])),
  body: z.string().nullable().meta({ description: 'The body as text; null when it is not UTF-8' }),
  bodyBase64: z.string().nullable().meta({ description: 'The body when it is not UTF-8' }),
});
export type IncomingEventDetail = z.infer<typeof IncomingEventDetail>;

export const ListIncomingEventsQuery = PageQuery.extend({
  sourceId: Id.optional(),
  verified: z.enum(['true', 'false', 'none']).optional().meta({ description: 'none: sources without signatures' }),
  from: Instant.optional(),
  to: Instant.optional(),
});
export type ListIncomingEventsQuery = z.infer<typeof ListIncomingEventsQuery>;
