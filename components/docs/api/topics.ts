import type { CodeLanguage } from '@/components/ui/highlight-code';

/** What all calls have in common. Names in backticks are code; examples may have BASE_URL, PROJECT_ID and ORG_ID. */
interface Topic {
  id: string;
  title: string;
  credentials?: { name: string; header: string; text: string }[];
  text: string[];
  link?: { href: string; label: string };
  examples: { label: string; language: CodeLanguage; code: string }[];
}

/** The topics of the overview, in its order. */
export const TOPICS: readonly Topic[] = [
  {
    id: 'base',
    title: 'Base URL and versions',
    text: [
      'Every path starts with `/api/v1`. Bodies are UTF-8 JSON, names are camelCase, times are RFC 3339 in UTC, and IDs are UUIDs.',
      'Within a version, paths and fields are added, never renamed or removed, so ignore fields you don’t know. These pages are generated from the OpenAPI 3.1 document, which describes every call.',
    ],
    examples: [{ label: 'Get the OpenAPI document', language: 'shell', code: 'curl BASE_URL/api/v1/openapi.json' }],
  },
  {
    id: 'authentication',
    title: 'Authentication',
    credentials: [
      {
        name: 'API key',
        header: 'X-API-Key',
        text: 'For servers. A key belongs to one project; `READ_WRITE` keys can read and write, `READ_ONLY` keys can only read. Only keys can send events.',
      },
      {
        name: 'Access token',
        header: 'Authorization: Bearer',
        text: 'For clients that act on behalf of a person. It grants access to all of the person’s organizations, according to their role in each, and lasts 15 minutes by default. Only people can manage keys, members and organizations.',
      },
      {
        name: 'Portal token',
        header: 'Authorization: Bearer',
        text: 'For the pages that one of your customers sees. A single-use link opens a session, whose token grants access to this customer below `/api/v1/portal`, and to nothing else.',
      },
      {
        name: 'Operator token',
        header: 'X-Platform-Admin-Token',
        text: 'For the operator of the deployment. It grants access to the paths under `/api/v1/admin`.',
      },
    ],
    text: [
      'Send only one credential: a request with both a key and a token, or with one of these headers twice, gets 400 `ambiguous_credentials`. Resources that you can’t access return 404, like resources that don’t exist.',
    ],
    examples: [
      {
        label: 'Authenticate with an API key',
        language: 'shell',
        code: `# A server, with an API key from the dashboard
curl BASE_URL/api/v1/key \\
  -H "X-API-Key: $EDS_API_KEY"`,
      },
      {
        label: 'Authenticate with an access token',
        language: 'shell',
        code: `# A client, on behalf of a person
curl BASE_URL/api/v1/auth/me \\
  -H "Authorization: Bearer $ACCESS_TOKEN"`,
      },
    ],
  },
  {
    id: 'idempotency',
    title: 'Idempotency',
    text: [
      'Give each event an `Idempotency-Key` of 1 to 255 printable characters, and retry the request until it succeeds. A retry with the same type and data stores nothing and gets the original response, with `Idempotent-Replayed: true`. A retry with other data gets 409 `idempotency_conflict`.',
      'Retry after a lost connection, 429, 500 or 503. The key is remembered for as long as the event is kept. Other calls ignore the header.',
    ],
    examples: [
      {
        label: 'Send an event once',
        language: 'shell',
        code: `curl BASE_URL/api/v1/events \\
  -H "X-API-Key: $EDS_API_KEY" \\
  -H 'Idempotency-Key: order-42-paid' \\
  -H 'Content-Type: application/json' \\
  -d '{"type": "order.paid", "data": {"orderId": "42"}}'`,
      },
    ],
  },
  {
    id: 'errors',
    title: 'Errors',
    text: [
      'Every error is a problem document (RFC 9457). Branch on `code`, which is stable; show `detail` to people. Each 400 has `errors`, one per field. Unknown fields and parameters are rejected, so typos never go unnoticed.',
    ],
    link: { href: '/docs/errors', label: 'See all error codes' },
    examples: [
      {
        label: 'A problem document',
        language: 'json',
        code: `{
  "type": "https://events.example.com/docs/errors#validation_failed",
  "title": "Bad request",
  "status": 400,
  "detail": "dat: is not a known field",
  "code": "validation_failed",
  "requestId": "checkout-8842",
  "errors": [
    { "path": "dat", "message": "is not a known field" }
  ]
}`,
      },
    ],
  },
  {
    id: 'pagination',
    title: 'Pagination',
    text: [
      'Lists are newest first. `limit` is 1 to 100, by default 50. Pass `nextCursor` as `cursor` until it is `null`, with the same filters on every page. A page may have fewer rows than `limit`, or none, before the list ends.',
      'A cursor is opaque and belongs to its list. New rows don’t shift pages.',
    ],
    examples: [
      {
        label: 'Read a page of events',
        language: 'shell',
        code: `curl 'BASE_URL/api/v1/projects/PROJECT_ID/events?limit=100' \\
  -H "X-API-Key: $EDS_API_KEY"
# {"data": […], "nextCursor": "eyJ…"}`,
      },
    ],
  },
  {
    id: 'rate-limits',
    title: 'Rate limits',
    text: [
      'Responses with 429 `rate_limited`, 423 and 503 have `Retry-After` in whole seconds. Wait that long, then retry. Sending events has no rate limit of its own; under overload, it returns 503.',
      'If a limit was checked, `RateLimit-Policy` names the quota and its window in seconds, and `RateLimit` shows what is left and when the window ends.',
    ],
    examples: [
      {
        label: 'Headers of a limited call',
        language: 'text',
        code: `RateLimit-Policy: "login-ip";q=10;w=60
RateLimit: "login-ip";r=7;t=42
Retry-After: 42`,
      },
    ],
  },
  {
    id: 'caching',
    title: 'ETags and caching',
    text: [
      'Do not cache responses. A single resource has an `ETag`: send it as `If-None-Match`, and you get 304 without a body if nothing has changed.',
    ],
    examples: [
      {
        label: 'Check whether a project has changed',
        language: 'shell',
        code: `curl -i BASE_URL/api/v1/projects/PROJECT_ID \\
  -H "X-API-Key: $EDS_API_KEY" \\
  -H "If-None-Match: $ETAG"`,
      },
    ],
  },
  {
    id: 'request-ids',
    title: 'Request IDs',
    text: [
      'Every response has an `X-Request-Id`. Send your own, 1 to 128 letters, digits, dots, dashes or underscores, to find a request in both your logs and the service’s. Include it when you report a problem.',
    ],
    examples: [],
  },
];
