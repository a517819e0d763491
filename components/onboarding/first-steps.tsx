'use client';

import { useRouter } from 'next/navigation';
import { useState } from 'react';
import useSWR from 'swr';
import { apiFetch } from '@/components/auth-session/api-fetch';
import type { CursorPage } from '@/components/data-table/use-pages';
import { TextField } from '@/components/form/form-fields';
import { useApiForm } from '@/components/form/use-api-form';
import { NoOrganization } from '@/components/orgs/create-organization-dialog';
import { roleDisabledReason } from '@/components/projects/role-disabled-reason';
import { PROJECT_NAME_RULES, useProjects } from '@/components/projects/use-projects';
import { CapturedBody, HeaderList, SignatureNote } from '@/components/tunnels/captured-request';
import { useTestReceiver } from '@/components/tunnels/use-tunnels';
import { Button } from '@/components/ui/button';
import { Callout } from '@/components/ui/callout';
import { Card } from '@/components/ui/card';
import { CodeBlock } from '@/components/ui/code-block';
import { ErrorPanel } from '@/components/ui/error-panel';
import { InlineError } from '@/components/ui/inline-error';
import { Link, TextLink } from '@/components/ui/link';
import { PageHeader } from '@/components/ui/page-header';
import type { OrganizationSummary, Project } from '@/lib/orgs/schema';
import type { TunnelRequest, TunnelRequestDetail } from '@/lib/tunnel/schema';
import { DeliveryDiagram, FirstStepsSkeleton, Step } from './step';
import { EndpointStep, EventStep, SendSampleEvent } from './steps';
import { receivedPollMs, stateOf, useFirstSteps } from './use-first-steps';

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
  const [customer, setCustomer] = useState<string>();
  const reload = () => void guide.reload();
  if (guide.error) return <ErrorPanel what="We couldn’t load the setup guide" error={guide.error} onRetry={reload} />;
  if (guide.loading) return <FirstStepsSkeleton />;
  const sending = {
    projectId,
    plaintext,
    onKeyMade: setPlaintext,
    onSent: reload,
    type: guide.sampleType,
    customer: customer ?? guide.sampleCustomer,
  };
  return (
    <div className="mx-auto max-w-3xl">
      <PageHeader
        title={step === null ? 'Your first event was delivered' : 'Deliver your first event'}
        description="Four steps, less than a minute. You can leave and continue later."
      />
      {step === null ? <Finished projectId={projectId} organizationId={organization?.id} /> : null}
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
          {step === 'event' ? <EventStep {...sending} onCustomer={setCustomer} event={event} /> : null}
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
              <DeliveryDiagram delivery={delivery} />
              <ReceivedRequest
                // Each attempt may bring a request.
                key={`${delivery.id} ${delivery.attemptCount}`}
                projectId={projectId}
                endpointUrl={delivery.targetUrl}
              />
            </>
          )}
        </Step>
      </ol>
    </div>
  );
}

function Finished({ projectId, organizationId }: { projectId: string; organizationId: string | undefined }) {
  return (
    <div className="mb-6 grid gap-4">
      <Callout tone="success" role="status">
        <div className="flex flex-wrap items-center justify-between gap-3">
          <p>Your event was stored, signed and delivered. Every event takes the same path.</p>
          <Button asChild variant="primary" size="sm">
            <Link href={`/projects/${projectId}/events`}>View events</Link>
          </Button>
        </div>
      </Callout>
      <section aria-labelledby="next">
        <h2 id="next" className="mb-2 font-semibold text-base">
          What next?
        </h2>
        <ul className="grid gap-1.5 text-sm">
          <NextStep href="/docs/guides/verifying-signatures" title="Verify signatures">
            Your receiver rejects what we didn’t send.
          </NextStep>
          <NextStep href="/docs/guides/retries" title="See how failures are retried">
            Ten attempts in three days, and what to do after an outage.
          </NextStep>
          <NextStep href={`/projects/${projectId}/sources`} title="Receive webhooks">
            From GitHub, Stripe and others, stored and forwarded.
          </NextStep>
          {organizationId === undefined ? null : (
            <NextStep href={`/orgs/${organizationId}/members`} title="Invite your team">
              They see the same events and deliveries.
            </NextStep>
          )}
        </ul>
      </section>
    </div>
  );
}

function NextStep({ href, title, children }: { href: string; title: string; children: string }) {
  return (
    <li>
      <TextLink href={href}>{title}</TextLink> <span className="text-muted">{children}</span>
    </li>
  );
}

/** Shows a new API key, which cannot be shown again. */
function KeyNote({ plaintext }: { plaintext: string }) {
  return (
    <>
      <Callout tone="warning">This is your API key. Copy it now. It cannot be shown again, only replaced.</Callout>
      <CodeBlock label="Key" code={plaintext} wrap />
    </>
  );
}

/** Creates the first project of an organization. */
function ProjectStep({ organization }: { organization: OrganizationSummary | undefined }) {
  const router = useRouter();
  const { reload } = useProjects();
  const form = useApiForm({
    defaultValues: { name: 'My project' },
    send: async (body) => {
      const project = await apiFetch<Project>(`/orgs/${organization?.id}/projects`, { method: 'POST', body });
      await reload();
      router.replace(`/?project=${project.id}`);
    },
  });
  if (organization === undefined) return <NoOrganization />;
  return (
    <form noValidate onSubmit={form.submit} className="grid max-w-md gap-3">
      <TextField
        form={form}
        name="name"
        rules={PROJECT_NAME_RULES}
        label="Name"
        placeholder="Web shop"
        hint={`In ${organization.name}. Each project has its own API keys, endpoints and events.`}
      />
      <InlineError what="We couldn’t create the project" error={form.error} />
      <Button
        type="submit"
        variant="primary"
        className="justify-self-start"
        loading={form.pending}
        disabledReason={roleDisabledReason(organization.role, 'project.manage')}
      >
        Create project
      </Button>
    </form>
  );
}

/** What the test receiver of an endpoint saw last; nothing for an endpoint with another URL. */
function ReceivedRequest({ projectId, endpointUrl }: { projectId: string; endpointUrl: string }) {
  const receiver = useTestReceiver(endpointUrl);
  const [startedAtMs] = useState(() => Date.now());
  const path = receiver === undefined ? null : `/projects/${projectId}/tunnels/${receiver.id}/requests`;
  const requests = useSWR<CursorPage<TunnelRequest>>(path === null ? null : `${path}?limit=1`, {
    refreshInterval: (found) => receivedPollMs(found?.data, Date.now() - startedAtMs),
  });
  const newest = requests.data?.data[0];
  const { data: request } = useSWR<TunnelRequestDetail>(newest === undefined ? null : `${path}/${newest.id}`);
  if (receiver === undefined || request === undefined) return null;
  const href = `/projects/${projectId}/tunnels/${receiver.id}`;
  return (
    <Card
      title="What your endpoint received"
      actions={
        <TextLink href={href} className="text-sm">
          Open test receiver
        </TextLink>
      }
    >
      <div className="grid min-w-0 gap-4">
        {request.signature === null ? null : <SignatureNote signature={request.signature} />}
        <CapturedBody
          label="Request body"
          size={request.requestSize}
          text={request.requestBody}
          base64={request.requestBodyBase64}
          truncated={request.requestBodyTruncated}
          fileName={`request-${request.id}.bin`}
        />
        <details className="min-w-0">
          <summary className="mb-2 w-fit cursor-pointer rounded-sm text-accent-text text-sm">Headers</summary>
          <HeaderList label="Request headers" headers={request.requestHeaders} />
        </details>
      </div>
    </Card>
  );
}
