import type { ReactNode } from 'react';
import { Code } from '@/components/docs/prose';
import { GuideExample } from './guide-example';
import { GuideSection } from './guide-section';

/** How a request is made: address, credential, repetition. */
export function RequestTopics() {
  return (
    <>
      <GuideSection
        topic="base"
        example={
          <GuideExample language="shell" label="Get the OpenAPI document" code={`curl BASE_URL/api/v1/openapi.json`} />
        }
      >
        <p>
          Every path starts with <Code>/api/v1</Code>. Bodies are UTF-8 JSON, names are camelCase, times are RFC 3339 in
          UTC, and IDs are UUIDs.
        </p>
        <p>
          Within a version, paths and fields are added, never renamed or removed, so ignore fields you don’t know. These
          pages are generated from the OpenAPI 3.1 document, which describes every call.
        </p>
      </GuideSection>
      <GuideSection
        topic="authentication"
        example={
          <>
            <GuideExample
              language="shell"
              label="Authenticate with an API key"
              code={`# A server, with an API key from the dashboard
curl BASE_URL/api/v1/key \\
  -H "X-API-Key: $EDS_API_KEY"`}
            />
            <GuideExample
              language="shell"
              label="Authenticate with an access token"
              code={`# A client, on behalf of a person
curl BASE_URL/api/v1/auth/me \\
  -H "Authorization: Bearer $ACCESS_TOKEN"`}
            />
          </>
        }
      >
        <dl className="grid gap-2.5">
          <Credential name="API key" header="X-API-Key">
            For servers. A key belongs to one project; <Code>READ_WRITE</Code> keys can read and write,{' '}
            <Code>READ_ONLY</Code> keys can only read. Only keys can send events.
          </Credential>
          <Credential name="Access token" header="Authorization: Bearer">
            For clients that act on behalf of a person. It grants access to all of the person’s organizations, according
            to their role in each, and lasts 15 minutes by default. Only people can manage keys, members and
            organizations.
          </Credential>
          <Credential name="Operator token" header="X-Platform-Admin-Token">
            For the operator of the deployment. It grants access to the paths under <Code>/api/v1/admin</Code>.
          </Credential>
        </dl>
        <p>
          Send only one credential: a request with both a key and a token gets 400 <Code>ambiguous_credentials</Code>.
          Resources that you can’t access return 404, like resources that don’t exist.
        </p>
      </GuideSection>
      <GuideSection
        topic="idempotency"
        example={
          <GuideExample
            language="shell"
            label="Send an event once"
            code={`curl BASE_URL/api/v1/events \\
  -H "X-API-Key: $EDS_API_KEY" \\
  -H 'Idempotency-Key: order-42-paid' \\
  -H 'Content-Type: application/json' \\
  -d '{"type": "order.paid", "data": {"orderId": "42"}}'`}
          />
        }
      >
        <p>
          Give each event an <Code>Idempotency-Key</Code> of 1 to 255 printable characters, and retry the request until
          it succeeds. A retry with the same type and data stores nothing and gets the original response, with{' '}
          <Code>Idempotent-Replayed: true</Code>. A retry with other data gets 409 <Code>idempotency_conflict</Code>.
        </p>
        <p>
          Retry after a lost connection, 429, 500 or 503. The key is remembered for as long as the event is kept. Other
          calls ignore the header.
        </p>
      </GuideSection>
    </>
  );
}

function Credential({ name, header, children }: { name: string; header: string; children: ReactNode }) {
  return (
    <div>
      <dt className="flex flex-wrap items-baseline gap-x-2">
        <span className="font-medium">{name}</span>
        <code className="font-mono text-muted text-xs">{header}</code>
      </dt>
      <dd className="text-muted">{children}</dd>
    </div>
  );
}
