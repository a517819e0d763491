import * as z from 'zod';
import { findAddressFault } from '@/lib/platform/config/address-fault';
import { Id } from '@/lib/platform/ids';
import { CreatedAt, Instant, Time, UpdatedAt } from '@/lib/platform/instant';
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

const BasicAuth = z.strictObject({
  username: Username.meta({ description: 'The username that requests must send', examples: ['shop'] }),
  password: Password.meta({ description: 'The password that requests must send', examples: ['seven tall ships'] }),
});
const AllowedCidr = z
  .string()
  .trim()
  .superRefine((text, context) => {
    const fault = findAddressFault(text);
    if (fault !== null) context.addIssue({ code: 'custom', message: fault });
  })
  .meta({ description: 'An IP address, or a range such as `192.0.2.0/24`' });
const AllowedCidrs = z.array(AllowedCidr).max(MAX_CIDRS, `must have at most ${MAX_CIDRS} entries`);

const WITH_ACCESS = {
  basicAuth: BasicAuth.nullable()
    .optional()
    .meta({ description: 'Credentials that requests must send; null if none are required' }),
  allowedCidrs: AllowedCidrs.optional().meta({ description: 'Addresses that requests can come from; empty: any' }),
};

/** Longer than a delivery waits for a response. */
export const MAX_TEST_DELAY_SECONDS = 20;

const delaySeconds = z
  .int()
  .min(0)
  .max(MAX_TEST_DELAY_SECONDS)
  .meta({ description: 'Seconds it waits before it responds; deliveries time out after 15 seconds' });

/** What a test receiver answers. */
export const TestResponse = z.object({
  status: z.int().min(200).max(599).meta({ description: 'The HTTP status of its responses' }),
  delaySeconds,
});
export type TestResponse = z.infer<typeof TestResponse>;

export const TestResponseInput = z.strictObject({ ...TestResponse.shape, delaySeconds: delaySeconds.default(0) });
export type TestResponseInput = z.infer<typeof TestResponseInput>;

const WITH_TEST_RESPONSE = {
  testResponse: TestResponseInput.nullable().optional().meta({
    description:
      'Makes the tunnel a test receiver, where the service itself responds; null for a tunnel to a local server',
  }),
};

export const CreateTunnelBody = z
  .strictObject({
    name: Name.optional().meta({ description: 'Default: a generated name' }),
    ...WITH_ACCESS,
    ...WITH_TEST_RESPONSE,
  })
  .meta({ examples: [{ name: 'laptop' }] });
export type CreateTunnelBody = z.infer<typeof CreateTunnelBody>;

export const UpdateTunnelBody = z
  .strictObject({ name: Name.optional().meta({ description: 'Its name' }), ...WITH_ACCESS, ...WITH_TEST_RESPONSE })
  .meta({ examples: [{ name: 'laptop', allowedCidrs: ['203.0.113.0/24'] }] });
export type UpdateTunnelBody = z.infer<typeof UpdateTunnelBody>;

export const Tunnel = z.object({
  id: Id,
  name: z.string().meta({ description: 'Its name', examples: ['laptop'] }),
  url: z
    .string()
    .nullable()
    .meta({
      description:
        'The public URL, to which any path can be appended; null if no key in ENCRYPTION_KEY decrypts it: rotate it',
      examples: ['https://events.example.com/t/4hZkXq3kV2m9'],
    }),
  online: z.boolean().meta({ description: 'Whether a client is connected' }),
  basicAuth: z
    .object({ username: z.string().meta({ description: 'The username', examples: ['shop'] }) })
    .nullable()
    .meta({ description: 'The username that requests must send; null if none is required' }),
  allowedCidrs: z
    .array(z.string())
    .meta({ description: 'Addresses that requests can come from; empty: any', examples: [['203.0.113.0/24']] }),
  testResponse: z
    .object({
      status: z.int().meta({ description: 'The HTTP status of its responses' }),
      delaySeconds: z.int().meta({ description: 'Seconds it waits before it responds' }),
    })
    .nullable()
    .meta({ description: 'The response of a test receiver; null for a tunnel to a local server' }),
  lastSeenAt: Time.nullable().meta({ description: 'When a client was last connected' }),
  createdAt: CreatedAt,
  updatedAt: UpdatedAt,
});
export type Tunnel = z.infer<typeof Tunnel>;

export const TunnelRequest = z.object({
  id: Id,
  tunnelId: Id.meta({ description: 'The tunnel' }),
  method: z.string().meta({ description: 'The HTTP method', examples: ['POST'] }),
  path: z.string().meta({ description: 'Path and query after the token', examples: ['/webhooks?test=1'] }),
  responseStatus: z
    .int()
    .nullable()
    .meta({
      description: 'HTTP status from the local server, or of the rejection, such as 401; null if there was neither',
      examples: [200],
    }),
  durationMs: z
    .int()
    .nullable()
    .meta({ description: 'How long it took, in milliseconds', examples: [87] }),
  requestSize: z.int().meta({ description: 'Size of the body in bytes', examples: [23] }),
  responseSize: z
    .int()
    .nullable()
    .meta({ description: 'Size of the response body in bytes; null if there was no response', examples: [2] }),
  error: z.string().nullable().meta({
    description: 'Why there is no response from the local server, such as `tunnel_offline` or `unauthenticated`',
  }),
  replayOf: Id.nullable().meta({ description: 'The request that this one replays', examples: [null] }),
  createdAt: CreatedAt,
});
export type TunnelRequest = z.infer<typeof TunnelRequest>;

const Headers = z.array(z.tuple([z.string(), z.string()])).nullable();
const BODY = 'The body as text; null if it is not UTF-8 or was not stored';
const BASE64 = 'The body in Base64, if it is not UTF-8';

/** Why a request cannot be replayed unchanged. */
export const ReplayObstacle = z.enum(['body_truncated', 'body_not_kept', 'headers_not_kept']);
export type ReplayObstacle = z.infer<typeof ReplayObstacle>;

export const TunnelRequestDetail = TunnelRequest.extend({
  requestHeaders: Headers.meta({
    description: 'The request headers, with credentials redacted; null if they were not stored',
    examples: [[['content-type', 'application/json']]],
  }),
  requestBody: z
    .string()
    .nullable()
    .meta({ description: BODY, examples: ['{"order":"ord_8f2c1"}'] }),
  requestBodyBase64: z.string().nullable().meta({ description: BASE64 }),
  requestBodyTruncated: z
    .boolean()
    .meta({ description: 'Whether only the start of the body was stored', examples: [false] }),
  responseHeaders: Headers.meta({
    description: 'The response headers, with credentials redacted; null if they were not stored',
    examples: [[['content-type', 'text/plain']]],
  }),
  responseBody: z
    .string()
    .nullable()
    .meta({ description: BODY, examples: ['ok'] }),
  responseBodyBase64: z.string().nullable().meta({ description: BASE64 }),
  responseBodyTruncated: z
    .boolean()
    .meta({ description: 'Whether only the start of the body was stored', examples: [false] }),
  signature: z
    .object({
      verified: z
        .boolean()
        .nullable()
        .meta({ description: 'Whether the signature is valid; null if it could not be checked' }),
      detail: z
        .string()
        .meta({ description: 'What was checked, or why the check failed', examples: ['The signature is valid'] }),
    })
    .nullable()
    .meta({
      description: 'Whether an endpoint of the project signed it; null if there is no `webhook-signature` header',
    }),
  replayObstacle: ReplayObstacle.nullable().meta({
    description: 'Why the request cannot be replayed; null if it can',
    examples: [null],
  }),
});
export type TunnelRequestDetail = z.infer<typeof TunnelRequestDetail>;

/** A status such as 404, a class such as 4xx, or `none` for requests without a response. */
const StatusFilter = z.string().regex(/^(?:[1-5]\d\d|[1-5]xx|none)$/, 'must be a status, a class such as 4xx, or none');

export const ListTunnelRequestsQuery = PageQuery.extend({
  method: z
    .string()
    .regex(/^[A-Za-z-]{1,20}$/, 'must be a method such as POST')
    .toUpperCase()
    .optional()
    .meta({ description: 'Only requests with this HTTP method' }),
  status: StatusFilter.optional().meta({
    description: 'A status such as 404, a class such as `4xx`, or `none` for requests without a response',
  }),
  from: Instant.optional().meta({ description: 'Only items created at or after this time' }),
  to: Instant.optional().meta({ description: 'Only items created at or before this time' }),
});
export type ListTunnelRequestsQuery = z.infer<typeof ListTunnelRequestsQuery>;

export const ReplayedTunnelRequest = z.object({ requestId: Id.meta({ description: 'The new request in the log' }) });
export type ReplayedTunnelRequest = z.infer<typeof ReplayedTunnelRequest>;
