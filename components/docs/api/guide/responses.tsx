import { Code } from '@/components/docs/prose';
import { CodeBlock } from '@/components/ui/code-block';
import { Link } from '@/components/ui/link';
import { GuideExample } from './guide-example';
import { GuideSection } from './guide-section';

const PROBLEM = `{
  "type": "https://events.example.com/docs/errors#validation_failed",
  "title": "Bad request",
  "status": 400,
  "detail": "dat: is not a known field",
  "code": "validation_failed",
  "requestId": "checkout-8842",
  "errors": [
    { "path": "dat", "message": "is not a known field" }
  ]
}`;

/** What responses have in common: errors, pages, limits, headers. */
export function ResponseTopics() {
  return (
    <>
      <GuideSection topic="errors" example={<CodeBlock language="json" label="A problem document" code={PROBLEM} />}>
        <p>
          Every error is a problem document (RFC 9457). Branch on <Code>code</Code>, which is stable; show{' '}
          <Code>detail</Code> to people. Each 400 has <Code>errors</Code>, one per field. Unknown fields and parameters
          are rejected, so typos never go unnoticed.
        </p>
        <p>
          <Link href="/docs/errors" className="font-medium text-accent-text hover:underline">
            See all error codes
          </Link>
        </p>
      </GuideSection>
      <GuideSection
        topic="pagination"
        example={
          <GuideExample
            language="shell"
            label="Read a page of events"
            code={`curl 'BASE_URL/api/v1/projects/PROJECT_ID/events?limit=100' \\
  -H "X-API-Key: $EDS_API_KEY"
# {"data": […], "nextCursor": "eyJ…"}`}
          />
        }
      >
        <p>
          Lists are newest first. <Code>limit</Code> is 1 to 100, by default 50. Pass <Code>nextCursor</Code> as{' '}
          <Code>cursor</Code> until it is <Code>null</Code>, with the same filters on every page. A page may have fewer
          rows than <Code>limit</Code>, or none, before the list ends.
        </p>
        <p>A cursor is opaque and belongs to its list. New rows don’t shift pages.</p>
      </GuideSection>
      <GuideSection
        topic="rate-limits"
        example={
          <CodeBlock
            language="text"
            label="Headers of a limited call"
            code={`RateLimit-Policy: "login-ip";q=10;w=60
RateLimit: "login-ip";r=7;t=42
Retry-After: 42`}
          />
        }
      >
        <p>
          Responses with 429 <Code>rate_limited</Code>, 423 and 503 have <Code>Retry-After</Code> in whole seconds. Wait
          that long, then retry. Sending events has no rate limit of its own; under overload, it returns 503.
        </p>
        <p>
          If a limit was checked, <Code>RateLimit-Policy</Code> names the quota and its window in seconds, and{' '}
          <Code>RateLimit</Code> shows what is left and when the window ends.
        </p>
      </GuideSection>
      <GuideSection
        topic="caching"
        example={
          <GuideExample
            language="shell"
            label="Check whether a project has changed"
            code={`curl -i BASE_URL/api/v1/projects/PROJECT_ID \\
  -H "X-API-Key: $EDS_API_KEY" \\
  -H "If-None-Match: $ETAG"`}
          />
        }
      >
        <p>
          Do not cache responses. A single resource has an <Code>ETag</Code>: send it as <Code>If-None-Match</Code>, and
          you get 304 without a body if nothing has changed.
        </p>
      </GuideSection>
      <GuideSection topic="request-ids">
        <p>
          Every response has an <Code>X-Request-Id</Code>. Send your own, 1 to 128 letters, digits, dots, dashes or
          underscores, to find a request in both your logs and the service’s. Include it when you report a problem.
        </p>
      </GuideSection>
    </>
  );
}
