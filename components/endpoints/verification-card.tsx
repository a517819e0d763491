import { Card } from '@/components/ui/card';
import { CodeTabs } from '@/components/ui/code-tabs';

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
      description="Deliveries are signed as defined by Standard Webhooks. Reject requests that fail verification. The ID is the same on every attempt."
    >
      <CodeTabs label="Verification" samples={SAMPLES} />
    </Card>
  );
}
