'use client';

import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { Callout } from '@/components/ui/callout';
import { ErrorPanel } from '@/components/ui/error-panel';
import { Link } from '@/components/ui/link';
import { PageHeader } from '@/components/ui/page-header';
import type { OrganizationSummary } from '@/lib/orgs/schema';
import { stateOf } from './current-step';
import { DeliveryDiagram } from './delivery-diagram';
import { EndpointStep } from './endpoint-step';
import { EventStep } from './event-step';
import { FirstStepsSkeleton } from './first-steps-skeleton';
import { KeyNote } from './key-note';
import { ProjectStep } from './project-step';
import { ReceivedRequest } from './received-request';
import { SendSampleEvent } from './send-sample-event';
import { Step } from './step';
import { useFirstSteps } from './use-first-steps';

/** The setup guide: four steps to a delivered event, which can be left and resumed. */
export function FirstSteps({
  project,
  organization,
}: {
  project: { id: string; name: string } | null;
  /** The organization of the new project; undefined for a person without one. */
  organization: OrganizationSummary | undefined;
}) {
  const projectId = project?.id ?? '';
  const guide = useFirstSteps(project?.id ?? null);
  const { step, event, endpoint, delivery } = guide;
  const [plaintext, setPlaintext] = useState<string | null>(null);
  const reload = () => void guide.reload();
  if (guide.error) return <ErrorPanel what="We couldn’t load the setup guide" error={guide.error} onRetry={reload} />;
  if (guide.loading) return <FirstStepsSkeleton />;
  const sending = { projectId, plaintext, onKeyMade: setPlaintext, onSent: reload, type: guide.sampleType };
  return (
    <div className="mx-auto max-w-3xl">
      <PageHeader
        title={step === null ? 'Your first event was delivered' : 'Deliver your first event'}
        description="Four steps, less than a minute. You can leave and continue later."
      />
      {step === null ? <Finished projectId={projectId} /> : null}
      <ol>
        <Step number={1} title="Create a project" state={stateOf('project', step)} summary={project?.name}>
          <ProjectStep organization={organization} />
        </Step>
        <Step number={2} title="Add an endpoint" state={stateOf('endpoint', step)} summary={endpoint?.url}>
          <EndpointStep projectId={projectId} endpoint={endpoint} onMade={guide.reload} />
        </Step>
        <Step
          number={3}
          title="Send an event"
          state={stateOf('event', step)}
          summary={event?.type}
          open={step === 'event' || plaintext !== null}
        >
          {plaintext === null ? null : <KeyNote plaintext={plaintext} />}
          {step === 'event' ? <EventStep {...sending} event={event} /> : null}
        </Step>
        <Step
          number={4}
          title="See it arrive"
          state={stateOf('delivery', step)}
          last
          open={step === null || step === 'delivery'}
        >
          {delivery === undefined ? null : (
            <>
              {delivery.status === 'FAILED' ? <SendSampleEvent {...sending} /> : null}
              <DeliveryDiagram projectId={projectId} delivery={delivery} />
              <ReceivedRequest projectId={projectId} endpointUrl={delivery.targetUrl} />
            </>
          )}
        </Step>
      </ol>
    </div>
  );
}

function Finished({ projectId }: { projectId: string }) {
  return (
    <Callout tone="success" role="status" className="mb-6">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p>Your event was stored, signed and delivered. Every event takes the same path.</p>
        <Button asChild variant="primary" size="sm">
          <Link href={`/projects/${projectId}/events`}>View events</Link>
        </Button>
      </div>
    </Callout>
  );
}
