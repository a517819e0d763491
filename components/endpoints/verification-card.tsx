import { Card } from '@/components/ui/card';
import { CodeTabs } from '@/components/ui/code-tabs';

const SAMPLES = [
  {
    name: 'Node',
    language: 'javascript' as const,
    code: `// npm install standardwebhooks
import { Webhook } from 'standardwebhooks';

const webhook = new Webhook(process.env.EDS_SIGNING_SECRET);

// rawBody: the bytes as they came, not JSON that was parsed and written again
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

# raw_body: the bytes as they came, not JSON that was parsed and written again
event = webhook.verify(raw_body, headers)`,
  },
];

/** How a receiver makes sure that an event comes from here: Standard Webhooks, in two languages. */
export function VerificationCard() {
  return (
    <Card
      title="Check the signature"
      description="Deliveries are signed as Standard Webhooks asks; refuse what does not verify. The id is the same on every attempt."
    >
      <CodeTabs label="Verification" samples={SAMPLES} />
    </Card>
  );
}
