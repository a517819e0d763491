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
import { KeyStep } from './key-step';
import { ProjectStep } from './project-step';
import { Step } from './step';
import { useFirstSteps } from './use-first-steps';

/** The setup guide: five steps to a delivered event, which can be left and resumed. */
export function FirstSteps({
  project,
  organization,
}: {
  project: { id: string; name: string } | null;
  /** The organization of the new project; undefined for a person without one. */
  organization: OrganizationSummary | undefined;
}) {
  const projectId = project?.id ?? null;
  const { loading, error, step, event, endpoint, delivery, reload } = useFirstSteps(projectId);
  const [plaintext, setPlaintext] = useState<string | null>(null);
  if (error)
    return <ErrorPanel what="The setup guide could not be loaded" error={error} onRetry={() => void reload()} />;
  if (loading) return <FirstStepsSkeleton />;
  const keepKey = (key: string) => {
    setPlaintext(key);
    return reload();
  };
  const sending = { projectId: projectId ?? '', plaintext, onKeyMade: keepKey, onSent: () => void reload() };
  return (
    <div className="mx-auto max-w-3xl">
      <PageHeader
        title={step === null ? 'Your first event is delivered' : 'Deliver your first event'}
        description="Five steps, about three minutes. You can leave and continue later."
      />
      {step === null ? <Finished projectId={projectId ?? ''} /> : null}
      <ol>
        <Step number={1} title="Create a project" state={stateOf('project', step)} summary={project?.name}>
          <ProjectStep organization={organization} />
        </Step>
        <Step number={2} title="Create an API key" state={stateOf('key', step)}>
          <KeyStep projectId={projectId ?? ''} onMade={keepKey} />
        </Step>
        <Step number={3} title="Send an event" state={stateOf('event', step)} summary={event?.type}>
          <EventStep {...sending} waitingFor="Waiting for your first event…" />
        </Step>
        <Step number={4} title="Add an endpoint" state={stateOf('endpoint', step)} summary={endpoint?.url}>
          <EndpointStep projectId={projectId ?? ''} endpoint={endpoint} onMade={reload} />
        </Step>
        <Step
          number={5}
          title="Watch the delivery"
          state={stateOf('delivery', step)}
          last
          open={step === null || step === 'delivery'}
        >
          {delivery === undefined || delivery.status === 'FAILED' ? (
            <EventStep {...sending} waitingFor="Send another event. It is delivered to your endpoint…" />
          ) : null}
          {delivery === undefined ? null : <DeliveryDiagram projectId={projectId ?? ''} delivery={delivery} />}
        </Step>
      </ol>
    </div>
  );
}

function Finished({ projectId }: { projectId: string }) {
  return (
    <Callout tone="success" role="status" className="mb-6">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p>Your event was stored, signed and delivered. All further events take the same path.</p>
        <Button asChild variant="primary" size="sm">
          <Link href={`/projects/${projectId}/events`}>View events</Link>
        </Button>
      </div>
    </Callout>
  );
}
