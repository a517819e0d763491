'use client';

import { Eye, EyeOff } from 'lucide-react';
import { useState } from 'react';
import { useAsyncAction } from '@/components/form/use-async-action';
import { Button } from '@/components/ui/button';
import { CodeBlock } from '@/components/ui/code-block';
import { type CodeSample, CodeTabs } from '@/components/ui/code-tabs';
import { CopyButton } from '@/components/ui/copy-button';
import { formatAbsolute } from '@/components/ui/format-time';
import { InlineError } from '@/components/ui/inline-error';
import type { EndpointSecret } from '@/lib/delivery/schema';
import type { PortalEndpoint } from '@/lib/portal/schema';
import { RotateDialog } from './rotate-dialog';
import { signedCurl } from './signature-samples';
import { usePortal } from './use-portal';

const MASK = `whsec_${'•'.repeat(24)}`;

/** The secret of an endpoint, and code that verifies requests with it. */
export function VerifyPart({ endpoint, samples }: { endpoint: PortalEndpoint; samples: readonly CodeSample[] }) {
  const { company, canManage } = usePortal();
  return (
    <div className="grid min-w-0 gap-10">
      {canManage ? <SecretPart endpointId={endpoint.id} /> : null}
      <section className="grid min-w-0 gap-3">
        <h2 className="font-semibold text-lg">Verify requests in your code</h2>
        <p className="text-muted text-sm">
          Anybody can send a request to your URL. Each of ours is signed with the secret, so your code can tell that it
          comes from {company}. Give this function the body as it arrived, before it is parsed, and answer with a status
          such as 200 within 15 seconds. If the <code className="font-mono text-xs">webhook-id</code> is one that you
          have seen before, skip the request: it is the same event, sent again.
        </p>
        <CodeTabs label="Verification" samples={samples} whole />
      </section>
      <section className="grid min-w-0 gap-3">
        <h2 className="font-semibold text-lg">Try it from a terminal</h2>
        <p className="text-muted text-sm">
          These commands send a signed request, also to your own machine. Put in the secret, and the URL of your code.
        </p>
        <CodeBlock label="Commands" language="shell" code={signedCurl(endpoint.url)} />
      </section>
    </div>
  );
}

function SecretPart({ endpointId }: { endpointId: string }) {
  const { fetch } = usePortal();
  const [secret, setSecret] = useState<EndpointSecret | null>(null);
  const [isShown, setShown] = useState(false);
  const [isRotating, setRotating] = useState(false);
  const { pending, error, run } = useAsyncAction();
  const toggle = () =>
    isShown
      ? setShown(false)
      : void run(async () => {
          setSecret(secret ?? (await fetch<EndpointSecret>(`/endpoints/${endpointId}/secret`)));
          setShown(true);
        });
  const Icon = isShown ? EyeOff : Eye;
  return (
    <section className="grid min-w-0 gap-3">
      <h2 className="font-semibold text-lg">Secret</h2>
      <p className="text-muted text-sm">
        Only you and we know it. Keep it where your code keeps its passwords, and out of your repository.
      </p>
      <div className="flex min-w-0 flex-wrap items-center gap-2 rounded-lg border bg-surface py-2 pr-2 pl-4">
        <code className="min-w-0 flex-1 basis-48 break-all font-mono text-sm">
          {isShown && secret !== null ? secret.secret : MASK}
        </code>
        {isShown && secret !== null ? (
          <CopyButton variant="secondary" size="md" text={secret.secret} label="Copy the secret">
            Copy
          </CopyButton>
        ) : null}
        <Button loading={pending} onClick={toggle}>
          <Icon aria-hidden="true" />
          {isShown ? 'Hide' : 'Show'}
        </Button>
        <Button onClick={() => setRotating(true)}>Replace</Button>
      </div>
      {secret?.previousSecretExpiresAt ? (
        <p role="status" className="text-muted text-sm">
          The secret before it works until {formatAbsolute(new Date(secret.previousSecretExpiresAt))}. Until then, each
          request has a signature of both.
        </p>
      ) : null}
      <InlineError what="We couldn’t show the secret" error={error} />
      {isRotating ? (
        <RotateDialog
          endpointId={endpointId}
          onClose={() => setRotating(false)}
          onRotated={(next) => {
            setSecret(next);
            setShown(true);
            setRotating(false);
          }}
        />
      ) : null}
    </section>
  );
}
