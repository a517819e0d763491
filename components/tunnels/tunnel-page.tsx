'use client';

import { useAsyncAction } from '@/components/form/use-async-action';
import { ResourceHead } from '@/components/projects/resource-head';
import { useDisabledReason } from '@/components/projects/use-disabled-reason';
import { Card } from '@/components/ui/card';
import { CopyableId } from '@/components/ui/copyable-id';
import { LoadFailure } from '@/components/ui/error-panel';
import { Field } from '@/components/ui/field';
import { InlineError } from '@/components/ui/inline-error';
import { Select } from '@/components/ui/select';
import { PageSkeleton } from '@/components/ui/skeleton';
import type { TestResponse, Tunnel } from '@/lib/tunnel/schema';
import { describeTestResponse, TEST_RESPONSES, testResponseKey } from './test-responses';
import { TunnelAddress } from './tunnel-address';
import { TunnelForm } from './tunnel-form';
import { TunnelRequests } from './tunnel-requests';
import { TunnelState } from './tunnel-state';
import { type TunnelActions, useTunnel } from './use-tunnels';

/** One tunnel: its URL and state, who may use it, and its live request log. */
export function TunnelPage({ projectId, tunnelId }: { projectId: string; tunnelId: string }) {
  const actions = useTunnel(projectId, tunnelId);
  const { tunnel, error } = actions;
  const disabledReason = useDisabledReason(projectId, 'tunnel.manage');
  if (tunnel === undefined) {
    if (error)
      return (
        <LoadFailure
          what="tunnel"
          error={error}
          onRetry={() => void actions.reload()}
          back={{ href: `/projects/${projectId}/tunnels`, label: 'All tunnels' }}
        />
      );
    return <PageSkeleton parts={['h-7 w-56', 'h-32 w-full', 'h-64 w-full']} />;
  }
  return (
    <>
      <TunnelHead projectId={projectId} tunnel={tunnel} actions={actions} disabledReason={disabledReason} />
      <div className="grid gap-6">
        <TunnelAddress projectId={projectId} tunnel={tunnel} actions={actions} disabledReason={disabledReason} />
        {tunnel.testResponse === null ? null : (
          <TestResponseCard
            testResponse={tunnel.testResponse}
            update={actions.update}
            disabledReason={disabledReason}
          />
        )}
        <TunnelRequests projectId={projectId} tunnel={tunnel} />
      </div>
    </>
  );
}

/** The name and state of a tunnel, and the buttons that edit and delete it. */
function TunnelHead({
  projectId,
  tunnel,
  actions,
  disabledReason,
}: {
  projectId: string;
  tunnel: Tunnel;
  actions: TunnelActions;
  disabledReason: string | undefined;
}) {
  return (
    <ResourceHead
      kind="tunnel"
      title={
        <span className="flex flex-wrap items-center gap-2.5">
          <span className="min-w-0 break-words">{tunnel.name}</span>
          <span role="status">
            <TunnelState tunnel={tunnel} />
          </span>
        </span>
      }
      description={<CopyableId id={tunnel.id} label="Copy tunnel ID" />}
      disabledReason={disabledReason}
      editForm={(close) => (
        <TunnelForm tunnel={tunnel} submitLabel="Save tunnel" send={(body) => actions.update(body).then(close)} />
      )}
      deletion={{
        title: `Delete ${tunnel.name}?`,
        description:
          'Its URL stops working, its client disconnects, and its request log is gone. This can’t be undone.',
      }}
      remove={actions.remove}
      listPath={`/projects/${projectId}/tunnels`}
    />
  );
}

/** Chooses what a test receiver answers, so that retries and disabled endpoints can be watched. */
function TestResponseCard({
  testResponse,
  update,
  disabledReason,
}: {
  testResponse: TestResponse;
  update: TunnelActions['update'];
  disabledReason: string | undefined;
}) {
  const { error, run } = useAsyncAction();
  const present = testResponseKey(testResponse);
  const options = TEST_RESPONSES.map((each) => ({
    value: testResponseKey(each.response),
    label: each.label,
    description: each.description,
  }));
  const isListed = options.some(({ value }) => value === present);
  const own = { value: present, label: describeTestResponse(testResponse), description: 'Set with the API.' };
  const choose = (key: string) => {
    const chosen = TEST_RESPONSES.find(({ response }) => testResponseKey(response) === key);
    if (chosen !== undefined) void run(() => update({ testResponse: chosen.response }));
  };
  return (
    <Card title="Response" description="The receiver answers every request like this. Change it to watch retries.">
      <div className="grid max-w-sm gap-3">
        <Field label="Answer with">
          {(control) => (
            <Select
              {...control}
              options={isListed ? options : [...options, own]}
              value={present}
              onValueChange={choose}
              disabledReason={disabledReason}
            />
          )}
        </Field>
        <InlineError what="We couldn’t change the response" error={error} />
      </div>
    </Card>
  );
}
