'use client';

import dynamic from 'next/dynamic';
import { useState } from 'react';
import { PreviousSecret, SIGNING_EFFECT } from '@/components/projects/previous-secret';
import { SecretCard, useSecret } from '@/components/projects/secret-card';
import { useDisabledReason } from '@/components/projects/use-projects';
import { CheckSignatureCard } from '@/components/signatures/check-signature-card';
import { Card } from '@/components/ui/card';
import { CodeTabs } from '@/components/ui/code-tabs';
import { Dialog } from '@/components/ui/dialog';
import { TextLink } from '@/components/ui/link';
import type { Endpoint } from '@/lib/delivery/schema';
import { ownSecretHint } from './endpoint-options';
import { EndpointSubscriptionsCard } from './endpoint-subscriptions-card';
import { OptionsCard } from './options-card';
import { SendTestCard } from './send-test-card';
import type { EndpointActions } from './use-endpoints';

const RotationForm = dynamic(() => import('@/components/projects/rotation-form').then((part) => part.RotationForm));

/** What an endpoint gets, and what helps to set up its receiver: the last part of its page, which is loaded after the others. */
export function EndpointTools({ endpoint, actions }: { endpoint: Endpoint; actions: EndpointActions }) {
  const secretReason = useDisabledReason('endpoint.secret');
  return (
    <>
      <EndpointSubscriptionsCard endpointId={endpoint.id} />
      <OptionsCard endpoint={endpoint} actions={actions} />
      <EndpointSecretCard endpoint={endpoint} actions={actions} />
      <SendTestCard sendTest={actions.sendTest} />
      <VerificationCard />
      <CheckSignatureCard
        description="Does your receiver refuse a delivery? Paste what it got. We say whether it verifies with this endpoint’s secrets, and if not, why."
        guide="/docs/guides/verifying-signatures#when-a-signature-doesnt-match"
        // Only the secret of a custom signature may be one that somebody chose, which trying could find.
        disabledReason={endpoint.signature.profile === 'CUSTOM' ? secretReason : undefined}
        verified="If your receiver still refuses it, it uses another secret, or it doesn’t verify the raw body."
        send={actions.checkSignature}
      />
    </>
  );
}

/** After a rotation the previous secret stays valid for a while. */
function EndpointSecretCard({ endpoint: { signature }, actions }: { endpoint: Endpoint; actions: EndpointActions }) {
  const secret = useSecret(actions);
  const [asking, setAsking] = useState(false);
  const disabledReason = useDisabledReason('endpoint.manage');
  const endPrevious = async () => {
    await actions.endPreviousSecret();
    if (secret.loaded !== null)
      await secret.replace({ ...secret.loaded, previousSecretExpiresAt: null }, secret.shown !== null);
  };
  return (
    <SecretCard
      secret={secret}
      mask="whsec_••••••••••••••••••••••••••••"
      description="Your receiver uses it to verify signatures. Viewing or rotating it is recorded in the audit log."
      previous={
        <PreviousSecret
          expiresAt={secret.loaded?.previousSecretExpiresAt}
          effect={SIGNING_EFFECT}
          end={endPrevious}
          disabledReason={disabledReason}
        />
      }
      replaceLabel="Rotate"
      onReplace={() => setAsking(true)}
      disabledReason={disabledReason}
    >
      <Dialog open={asking} onOpenChange={setAsking} title="Rotate the signing secret?">
        <RotationForm
          what="secret"
          text={`Until the old secret ends, every delivery carries both signatures, so you can update your receiver without losing events. ${
            signature.profile === 'CUSTOM' ? `${signature.header} has only the new one. ` : ''
          }A secret from before an earlier rotation ends now.`}
          ownHint={ownSecretHint(signature.profile)}
          send={async (gracePeriodHours, own) => {
            await secret.replace(await actions.rotateSecret(gracePeriodHours, own), true);
            setAsking(false);
          }}
        />
      </Dialog>
    </SecretCard>
  );
}

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

function VerificationCard() {
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
        <TextLink href="/docs/guides/verifying-signatures" prefetch={false}>
          Go, PHP, Ruby, and Java
        </TextLink>
      </p>
    </Card>
  );
}
