import { Card } from '@/components/ui/card';
import { CodeTabs } from '@/components/ui/code-tabs';
import { Link } from '@/components/ui/link';

const SAMPLES = [
  {
    name: 'Node',
    language: 'javascript' as const,
    code: `// npm install standardwebhooks
import { Webhook } from 'standardwebhooks';

const webhook = new Webhook(process.env.EDS_SIGNING_SECRET);

// rawBody: the bytes as received, not re-serialized JSON
const event = webhook.verify(rawBody, {
  'webhook-id': headers['webhook-id'],
  'webhook-timestamp': headers['webhook-timestamp'],
  'webhook-signature': headers['webhook-signature'],
});`,
  },
  {
    name: 'Python',
    language: 'python' as const,
    code: `# pip install standardwebhooks
import os
from standardwebhooks.webhooks import Webhook

webhook = Webhook(os.environ['EDS_SIGNING_SECRET'])

# raw_body: the bytes as received, not re-serialized JSON
event = webhook.verify(raw_body, headers)`,
  },
];

/** Sample code that verifies signatures with Standard Webhooks. */
export function VerificationCard() {
  return (
    <Card
      title="Verify signatures"
      description={
        <>
          Deliveries are signed as defined by Standard Webhooks. Reject requests that fail verification.{' '}
          <code className="font-mono text-xs">webhook-id</code> is the same on every attempt. Use it to skip duplicates.
        </>
      }
    >
      <CodeTabs label="Verification" samples={SAMPLES} />
      <p className="mt-3 text-muted text-sm">
        In another language:{' '}
        <Link
          href="/docs/guides/verifying-signatures"
          prefetch={false}
          className="rounded-sm font-medium text-accent-text hover:underline"
        >
          Go, PHP, Ruby, and Java
        </Link>
      </p>
    </Card>
  );
}
