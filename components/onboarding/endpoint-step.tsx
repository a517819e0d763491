'use client';

import { FlaskConical } from 'lucide-react';
import { useRef } from 'react';
import { createEndpoint } from '@/components/endpoints/use-endpoints';
import { useAsyncAction } from '@/components/form/use-async-action';
import { useDisabledReason } from '@/components/projects/use-disabled-reason';
import { createSubscription } from '@/components/subscriptions/use-subscriptions';
import { createTestReceiver } from '@/components/tunnels/test-receiver';
import { Button } from '@/components/ui/button';
import { InlineError } from '@/components/ui/inline-error';
import type { Endpoint } from '@/lib/delivery/schema';
import { OwnUrlForm } from './own-url-form';

/** Creates an endpoint that gets all events: at a test receiver with one click, or at a URL of the person. */
export function EndpointStep({
  projectId,
  endpoint,
  onMade,
}: {
  projectId: string;
  /** An existing endpoint that has no subscription yet. */
  endpoint: Endpoint | undefined;
  onMade: () => Promise<unknown>;
}) {
  const disabledReason = useDisabledReason(projectId, 'endpoint.manage');
  const { pending, error, run } = useAsyncAction();
  // What was made stays made: if a later request fails, another click continues after it.
  const testUrl = useRef<string | null>(null);
  const endpointId = useRef(endpoint?.id);
  const make = async (url: string, description: string | null) => {
    const body = { url, description, enabled: true, retrySeconds: [] };
    endpointId.current ??= (await createEndpoint(projectId, body)).id;
    await createSubscription(projectId, { endpointId: endpointId.current, eventType: '*' });
    await onMade();
  };
  const useTest = async () => {
    testUrl.current ??= (await createTestReceiver(projectId)).url;
    if (testUrl.current !== null) await make(testUrl.current, 'Test receiver');
  };
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      {endpoint === undefined ? (
        <section className="grid content-start gap-3 rounded-lg border bg-surface p-4">
          <h3 className="font-medium text-sm">No server yet?</h3>
          <p className="text-muted text-sm">
            A test receiver receives your events here and shows what arrived. Nothing to install.
          </p>
          <Button
            variant="primary"
            className="justify-self-start"
            loading={pending}
            disabledReason={disabledReason}
            onClick={() => void run(useTest)}
          >
            <FlaskConical aria-hidden="true" />
            Use a test receiver
          </Button>
          <InlineError what="We couldn’t create the test receiver" error={error} />
        </section>
      ) : null}
      <section className="grid content-start gap-3 rounded-lg border bg-surface p-4">
        <h3 className="font-medium text-sm">Your own URL</h3>
        <OwnUrlForm
          projectId={projectId}
          url={endpoint?.url}
          send={(url) => make(url, null)}
          disabledReason={disabledReason}
        />
      </section>
    </div>
  );
}
