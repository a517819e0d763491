import * as z from 'zod';
import { findAddressFault } from '@/lib/platform/config/address-fault';
import { Id } from '@/lib/platform/ids';
import { Instant } from '@/lib/platform/instant';
import { PageQuery } from '@/lib/platform/pagination';
import { Name, StorableText } from '@/lib/platform/text';

/** Bounds the cost of the address check, which runs for every request to the tunnel. */
const MAX_CIDRS = 50;

/** A colon ends the username in the header of basic authentication (RFC 7617 section 2). */
const Username = z
  .string()
  .min(1, 'must not be empty')
  .max(100, 'must have at most 100 characters')
  .regex(/^[^\p{Cc}:]*$/u, 'must have no colon and no control character')
  .pipe(StorableText);
const Password = z
  .string()
  .min(8, 'must have at least 8 characters')
  .max(200, 'must have at most 200 characters')
  .regex(/^\P{Cc}*$/u, 'must have no control character')
  .pipe(StorableText);

const BasicAuth = z.strictObject({ username: Username, password: Password });
const AllowedCidr = z
  .string()
  .trim()
  .superRefine((text, context) => {
    const fault = findAddressFault(text);
    if (fault !== null) context.addIssue({ code: 'custom', message: fault });
  })
  .meta({ description: 'An address, or a range such as 192.0.2.0/24' });
const AllowedCidrs = z.array(AllowedCidr).max(MAX_CIDRS, `must have at most ${MAX_CIDRS} entries`);

const WITH_ACCESS = {
  basicAuth: BasicAuth.nullable()
    .optional()
    .meta({ description: 'What requests to the URL must present; null for nothing' }),
  allowedCidrs: AllowedCidrs.optional().meta({ description: 'Where requests may come from; empty for anywhere' }),
};

/** Longer than a delivery waits for a response. */
export const MAX_TEST_DELAY_SECONDS = 20;

const delaySeconds = z
  .int()
  .min(0)
  .max(MAX_TEST_DELAY_SECONDS)
  .meta({ description: 'How long it waits before it answers. Deliveries time out after 15 seconds' });

/** What a test receiver answers. */
export const TestResponse = z.object({ status: z.int().min(200).max(599), delaySeconds });
export type TestResponse = z.infer<typeof TestResponse>;

export const TestResponseInput = z.strictObject({ ...TestResponse.shape, delaySeconds: delaySeconds.default(0) });
export type TestResponseInput = z.infer<typeof TestResponseInput>;

const WITH_TEST_RESPONSE = {
  testResponse: TestResponseInput.nullable().optional().meta({
    description:
      'Makes the tunnel a test receiver, which the service answers itself; null for a tunnel to a local server',
  }),
};

export const CreateTunnelBody = z.strictObject({
  name: Name.optional().meta({ description: 'Default: a generated name' }),
  ...WITH_ACCESS,
  ...WITH_TEST_RESPONSE,
});
export type CreateTunnelBody = z.infer<typeof CreateTunnelBody>;

export const UpdateTunnelBody = z.strictObject({ name: Name.optional(), ...WITH_ACCESS, ...WITH_TEST_RESPONSE });
export type UpdateTunnelBody = z.infer<typeof UpdateTunnelBody>;

export const Tunnel = z.object({
  id: Id,
  name: z.string(),
  url: z.string().nullable().meta({
    description: 'The public URL; any path may follow. Null when no key in ENCRYPTION_KEY decrypts it: rotate it',
  }),
  online: z.boolean().meta({ description: 'Whether a client is connected' }),
  basicAuth: z.object({ username: z.string() }).nullable(),
  allowedCidrs: z.array(z.string()),
  testResponse: z
    .object({ status: z.int(), delaySeconds: z.int() })
    .nullable()
    .meta({ description: 'What a test receiver answers; null for a tunnel to a local server' }),
  lastSeenAt: z.string().nullable().meta({ description: 'The last time a client was connected' }),
  createdAt: z.string(),
  updatedAt: z.string(),
});
export type Tunnel = z.infer<typeof Tunnel>;

export const TunnelRequest = z.object({
  id: Id,
  tunnelId: Id,
  method: z.string(),
  path: z.string().meta({ description: 'Path and query below the token' }),
  responseStatus: z.int().nullable().meta({
    description: 'Of the local server, or of the refusal of the request, such as 401; null when there was neither',
  }),
  durationMs: z.int().nullable(),
  requestSize: z.int().meta({ description: 'Bytes of the body' }),
  responseSize: z.int().nullable(),
  error: z
    .string()
    .nullable()
    .meta({ description: 'Why the local server did not answer, such as tunnel_offline or unauthenticated' }),
  replayOf: Id.nullable().meta({ description: 'The request that this one repeats' }),
  createdAt: z.string(),
});
export type TunnelRequest = z.infer<typeof TunnelRequest>;

const Headers = z.array(z.tuple([z.string(), z.string()])).nullable();
const BODY = 'As text; null when it is not UTF-8, or was not kept';
const BASE64 = 'The body when it is not UTF-8';

/** Why a request cannot be replayed unchanged. */
export const ReplayObstacle = z.enum(['body_truncated', 'body_not_kept', 'headers_not_kept']);
export type ReplayObstacle = z.infer<typeof ReplayObstacle>;

export const TunnelRequestDetail = TunnelRequest.extend({
  requestHeaders: Headers.meta({ description: 'Null when they were not kept; credentials are redacted' }),
  requestBody: z.string().nullable().meta({ description: BODY }),
  requestBodyBase64: z.string().nullable().meta({ description: BASE64 }),
  requestBodyTruncated: z.boolean(),
  responseHeaders: Headers,
  responseBody: z.string().nullable().meta({ description: BODY }),
  responseBodyBase64: z.string().nullable().meta({ description: BASE64 }),
  responseBodyTruncated: z.boolean(),
  signature: z
    .object({
      verified: z.boolean().nullable().meta({ description: 'Null when it could not be checked' }),
      detail: z.string().meta({ description: 'What was checked, or why it failed' }),
    })
    .nullable()
    .meta({
      description: 'Whether an endpoint of the project has signed it; null without the header webhook-signature',
    }),
  replayObstacle: ReplayObstacle.nullable().meta({ description: 'Null when the request can be replayed' }),
});
export type TunnelRequestDetail = z.infer<typeof TunnelRequestDetail>;

/** A status such as 404, a class such as 4xx, or `none` for requests without a response. */
const StatusFilter = z.string().regex(/^(?:[1-5]\d\d|[1-5]xx|none)$/, 'must be a status, a class such as 4xx, or none');

export const ListTunnelRequestsQuery = PageQuery.extend({
  method: z
    .string()
    .regex(/^[A-Za-z-]{1,20}$/, 'must be a method such as POST')
    .toUpperCase()
    .optional(),
  status: StatusFilter.optional(),
  from: Instant.optional(),
  to: Instant.optional(),
});
export type ListTunnelRequestsQuery = z.infer<typeof ListTunnelRequestsQuery>;

export const ReplayedTunnelRequest = z.object({ requestId: Id });
export type ReplayedTunnelRequest = z.infer<typeof ReplayedTunnelRequest>;
