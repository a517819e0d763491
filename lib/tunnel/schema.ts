import * as z from 'zod';
import { findAddressFault } from '@/lib/platform/config/address-fault';
import { field } from '@/lib/platform/field';
import { Id } from '@/lib/platform/ids';
import { CREATED_WITHIN, CreatedAt, Time, UpdatedAt } from '@/lib/platform/instant';
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
  username: field(Username, 'The username that requests must send', 'shop'),
  password: field(Password, 'The password that requests must send', 'seven tall ships'),
});
const AllowedCidr = field(
  z
    .string()
    .trim()
    .superRefine((text, context) => {
      const fault = findAddressFault(text);
      if (fault !== null) context.addIssue({ code: 'custom', message: fault });
    }),
  'An IP address, or a range such as `192.0.2.0/24`',
);
const AllowedCidrs = z.array(AllowedCidr).max(MAX_CIDRS, `must have at most ${MAX_CIDRS} entries`);

const WITH_ACCESS = {
  basicAuth: field(BasicAuth.nullable().optional(), 'Credentials that requests must send; null if none are required'),
  allowedCidrs: field(AllowedCidrs.optional(), 'Addresses that requests can come from; empty: any'),
};

/** Longer than a delivery waits for a response. */
export const MAX_TEST_DELAY_SECONDS = 20;

const delaySeconds = field(
  z.int().min(0).max(MAX_TEST_DELAY_SECONDS),
  'Seconds it waits before it responds; deliveries time out after 15 seconds',
);

/** What a test receiver answers. */
export const TestResponse = z.object({
  status: field(z.int().min(200).max(599), 'The HTTP status of its responses'),
  delaySeconds,
});
export type TestResponse = z.infer<typeof TestResponse>;

export const TestResponseInput = z.strictObject({ ...TestResponse.shape, delaySeconds: delaySeconds.default(0) });
export type TestResponseInput = z.infer<typeof TestResponseInput>;

const WITH_TEST_RESPONSE = {
  testResponse: field(
    TestResponseInput.nullable().optional(),
    'Makes the tunnel a test receiver, where the service itself responds; null for a tunnel to a local server',
  ),
};

export const CreateTunnelBody = z
  .strictObject({
    name: field(Name.optional(), 'Default: a generated name'),
    ...WITH_ACCESS,
    ...WITH_TEST_RESPONSE,
  })
  .meta({ examples: [{ name: 'laptop' }] });
export type CreateTunnelBody = z.infer<typeof CreateTunnelBody>;

export const UpdateTunnelBody = z
  .strictObject({ name: field(Name.optional(), 'Its name'), ...WITH_ACCESS, ...WITH_TEST_RESPONSE })
  .meta({ examples: [{ name: 'laptop', allowedCidrs: ['203.0.113.0/24'] }] });
export type UpdateTunnelBody = z.infer<typeof UpdateTunnelBody>;

export const Tunnel = z.object({
  id: Id,
  name: field(z.string(), 'Its name', 'laptop'),
  url: field(
    z.string().nullable(),
    'The public URL, to which any path can be appended; null if no key in ENCRYPTION_KEY decrypts it: rotate it',
    'https://events.example.com/t/4hZkXq3kV2m9',
  ),
  online: field(z.boolean(), 'Whether a client is connected'),
  basicAuth: field(
    z.object({ username: field(z.string(), 'The username', 'shop') }).nullable(),
    'The username that requests must send; null if none is required',
  ),
  allowedCidrs: field(z.array(z.string()), 'Addresses that requests can come from; empty: any', ['203.0.113.0/24']),
  testResponse: field(
    z
      .object({
        status: field(z.int(), 'The HTTP status of its responses'),
        delaySeconds: field(z.int(), 'Seconds it waits before it responds'),
      })
      .nullable(),
    'The response of a test receiver; null for a tunnel to a local server',
  ),
  lastSeenAt: field(Time.nullable(), 'When a client was last connected'),
  createdAt: CreatedAt,
  updatedAt: UpdatedAt,
});
export type Tunnel = z.infer<typeof Tunnel>;

export const TunnelRequest = z.object({
  id: Id,
  tunnelId: field(Id, 'The tunnel'),
  method: field(z.string(), 'The HTTP method', 'POST'),
  path: field(z.string(), 'Path and query after the token', '/webhooks?test=1'),
  responseStatus: field(
    z.int().nullable(),
    'HTTP status from the local server, or of the rejection, such as 401; null if there was neither',
    200,
  ),
  durationMs: field(z.int().nullable(), 'How long it took, in milliseconds', 87),
  requestSize: field(z.int(), 'Size of the body in bytes', 23),
  responseSize: field(z.int().nullable(), 'Size of the response body in bytes; null if there was no response', 2),
  error: field(
    z.string().nullable(),
    'Why there is no response from the local server, such as `tunnel_offline` or `unauthenticated`',
  ),
  replayOf: field(Id.nullable(), 'The request that this one replays', null),
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
  requestHeaders: field(Headers, 'The request headers, with credentials redacted; null if they were not stored', [
    ['content-type', 'application/json'],
  ]),
  requestBody: field(z.string().nullable(), BODY, '{"order":"ord_8f2c1"}'),
  requestBodyBase64: field(z.string().nullable(), BASE64),
  requestBodyTruncated: field(z.boolean(), 'Whether only the start of the body was stored', false),
  responseHeaders: field(Headers, 'The response headers, with credentials redacted; null if they were not stored', [
    ['content-type', 'text/plain'],
  ]),
  responseBody: field(z.string().nullable(), BODY, 'ok'),
  responseBodyBase64: field(z.string().nullable(), BASE64),
  responseBodyTruncated: field(z.boolean(), 'Whether only the start of the body was stored', false),
  signature: field(
    z
      .object({
        verified: field(
          z.boolean().nullable(),
          'Whether the signature is valid; null if it could not be checked, or not for this caller',
        ),
        detail: field(z.string(), 'What was checked, or why the check failed', 'The signature is valid'),
      })
      .nullable(),
    'Whether an endpoint of the project signed it; null if there is no `webhook-signature` header',
  ),
  replayObstacle: field(ReplayObstacle.nullable(), 'Why the request cannot be replayed; null if it can', null),
});
export type TunnelRequestDetail = z.infer<typeof TunnelRequestDetail>;

/** A status such as 404, a class such as 4xx, or `none` for requests without a response. */
const StatusFilter = z.string().regex(/^(?:[1-5]\d\d|[1-5]xx|none)$/, 'must be a status, a class such as 4xx, or none');

export const ListTunnelRequestsQuery = PageQuery.extend({
  method: field(
    z
      .string()
      .regex(/^[A-Za-z-]{1,20}$/, 'must be a method such as POST')
      .toUpperCase()
      .optional(),
    'Only requests with this HTTP method',
  ),
  status: field(
    StatusFilter.optional(),
    'A status such as 404, a class such as `4xx`, or `none` for requests without a response',
  ),
  ...CREATED_WITHIN,
});
export type ListTunnelRequestsQuery = z.infer<typeof ListTunnelRequestsQuery>;

export const ReplayedTunnelRequest = z.object({ requestId: field(Id, 'The new request in the log') });
export type ReplayedTunnelRequest = z.infer<typeof ReplayedTunnelRequest>;
