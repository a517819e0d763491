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
          <GuideExample
            language="shell"
            label="Get the description of the API"
            code={`curl BASE_URL/api/v1/openapi.json`}
          />
        }
      >
        <p>
          Every path starts with <Code>/api/v1</Code>. Bodies are JSON in UTF-8, names are camelCase, times are RFC 3339
          in UTC, IDs are UUIDs.
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
              code={`# A server: its key, from the page API keys
curl BASE_URL/api/v1/key \\
  -H "X-API-Key: $EDS_API_KEY"`}
            />
            <GuideExample
              language="shell"
              label="Authenticate with an access token"
              code={`# A client that acts for a person
curl BASE_URL/api/v1/auth/me \\
  -H "Authorization: Bearer $ACCESS_TOKEN"`}
            />
          </>
        }
      >
        <dl className="grid gap-2.5">
          <Credential name="API key" header="X-API-Key">
            For servers. It belongs to one project; <Code>READ_WRITE</Code> keys read and write, <Code>READ_ONLY</Code>{' '}
            keys read. Only keys send events.
          </Credential>
          <Credential name="Access token" header="Authorization: Bearer">
            For clients that act for a person. It gives access to all of the person’s organizations, according to their
            role in each, and lasts 15 minutes by default. Only people manage keys, members and organizations.
          </Credential>
          <Credential name="Token of the operator" header="X-Platform-Admin-Token">
            For the operator of the deployment. It gives access to the paths under <Code>/api/v1/admin</Code>.
          </Credential>
        </dl>
        <p>
          Send one credential: a key and a token together get 400 <Code>ambiguous_credentials</Code>. Resources you
          don’t have access to get 404, like resources that don’t exist.
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
          Give each event an <Code>Idempotency-Key</Code> of 1 to 255 printable characters, and repeat the request until
          it succeeds. A repeat with the same type and data stores nothing and gets the first response, with{' '}
          <Code>Idempotent-Replayed: true</Code>. Other data gets 409 <Code>idempotency_conflict</Code>.
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
