'use client';

import { RefreshCw } from 'lucide-react';
import dynamic from 'next/dynamic';
import { useState } from 'react';
import { useAsyncAction } from '@/components/form/use-async-action';
import { ResourceFailure, ResourceHead, ResourcePage } from '@/components/projects/resource-page';
import { LastSeen, TunnelState } from '@/components/projects/state-badges';
import { useDisabledReason, useProjectId } from '@/components/projects/use-projects';
import { Button } from '@/components/ui/button';
import { UnreadableUrl } from '@/components/ui/callout';
import { Card } from '@/components/ui/card';
import { CodeBlock } from '@/components/ui/code-block';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { CopyableId } from '@/components/ui/copyable-id';
import { Field } from '@/components/ui/field';
import { InlineError } from '@/components/ui/inline-error';
import { LocalUrlNote } from '@/components/ui/local-url-note';
import { RelativeTime } from '@/components/ui/relative-time';
import { Select } from '@/components/ui/select';
import { Stat, StatList } from '@/components/ui/stat';
import { toast } from '@/components/ui/toast';
import { useBaseUrl } from '@/components/ui/use-base-url';
import type { TestResponse, Tunnel } from '@/lib/tunnel/schema';
import { TunnelRequests } from './tunnel-requests';
import { describeTestResponse, listenCommand, type TunnelActions, useTunnel, withoutFullPrefix } from './use-tunnels';

const TunnelForm = dynamic(() => import('./tunnel-form').then((part) => part.TunnelForm));

interface TunnelProps {
  tunnel: Tunnel;
  actions: TunnelActions;
}

/** One tunnel: its URL and state, who may use it, and its live request log. */
export function TunnelPage() {
  const actions = useTunnel();
  return (
    <ResourcePage
      from={actions}
      skeleton={['h-7 w-56', 'h-32 w-full', 'h-64 w-full']}
      failure={(failure) => <ResourceFailure kind="tunnel" {...failure} />}
    >
      {(tunnel) => (
        <>
          <TunnelHead tunnel={tunnel} actions={actions} />
          <div className="grid gap-6">
            <TunnelAddress tunnel={tunnel} actions={actions} />
            {tunnel.testResponse === null ? null : (
              <TestResponseCard testResponse={tunnel.testResponse} update={actions.update} />
            )}
            <TunnelRequests tunnel={tunnel} />
          </div>
        </>
      )}
    </ResourcePage>
  );
}

function TunnelHead({ tunnel, actions }: TunnelProps) {
  return (
    <ResourceHead
      kind="tunnel"
      title={
        <span className="flex flex-wrap items-center gap-2.5">
          <span className="min-w-0 break-words">{tunnel.name}</span>
          <span role="status">
            <TunnelState {...tunnel} />
          </span>
        </span>
      }
      description={<CopyableId id={tunnel.id} label="Copy tunnel ID" />}
      disabledReason={useDisabledReason('tunnel.manage')}
      editForm={(close) => <TunnelForm tunnel={tunnel} send={(body) => actions.update(body).then(close)} />}
      deletion={{
        title: `Delete ${tunnel.name}?`,
        description:
          'Its URL stops working, its client disconnects, and its request log is gone. This can’t be undone.',
      }}
      remove={actions.remove}
    />
  );
}

function TunnelAddress({ tunnel, actions }: TunnelProps) {
  const disabledReason = useDisabledReason('tunnel.manage');
  const command = listenCommand(useBaseUrl(), useProjectId(), tunnel.id);
  const [asking, setAsking] = useState(false);
  const rotate = async () => {
    await actions.rotateUrl();
    toast.success('URL rotated. The old URL no longer works.');
  };
  return (
    <Card
      title="Public URL"
      description={
        tunnel.testResponse === null
          ? 'Requests to this URL, and to any path below it, reach the server on your machine.'
          : 'Use it as the URL of an endpoint or a destination. You need no server of your own.'
      }
      actions={
        <Button size="sm" disabledReason={disabledReason} onClick={() => setAsking(true)}>
          <RefreshCw aria-hidden="true" />
          Rotate URL
        </Button>
      }
    >
      <div className="grid gap-4">
        {tunnel.url === null ? <UnreadableUrl /> : <CodeBlock label="Public URL" code={tunnel.url} wrap />}
        {tunnel.url === null ? null : <LocalUrlNote url={tunnel.url} others="visitors elsewhere" />}
        <StatList>
          <Stat label="Password">
            {tunnel.basicAuth === null ? 'Not required' : `Required, username ${tunnel.basicAuth.username}`}
          </Stat>
          <Stat label="Allowed IP addresses">
            {tunnel.allowedCidrs.length === 0 ? (
              'Any'
            ) : (
              <span className="font-mono text-xs">{tunnel.allowedCidrs.map(withoutFullPrefix).join(', ')}</span>
            )}
          </Stat>
          {tunnel.testResponse === null ? (
            <Stat label="Last seen">
              <LastSeen tunnel={tunnel} />
            </Stat>
          ) : null}
          <Stat label="Created">
            <RelativeTime at={tunnel.createdAt} />
          </Stat>
        </StatList>
        {tunnel.online || tunnel.testResponse !== null ? null : (
          <div className="grid gap-2 border-t pt-4">
            <p className="text-muted text-sm">
              No client is connected. Start one on the machine that runs your server:
            </p>
            <CodeBlock label="Command to connect" language="shell" code={command} wrap />
          </div>
        )}
      </div>
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title="Rotate the public URL?"
        description="The current URL stops working immediately. Update every service that calls it. The client stays connected."
        confirmLabel="Rotate URL"
        onConfirm={rotate}
      />
    </Card>
  );
}

/** What the page of a test receiver offers. */
const TEST_RESPONSES: readonly (TestResponse & { label: string; description: string })[] = [
  { status: 200, delaySeconds: 0, label: '200 OK', description: 'The delivery succeeds.' },
  { status: 400, delaySeconds: 0, label: '400 Bad Request', description: 'Fails and is retried.' },
  { status: 410, delaySeconds: 0, label: '410 Gone', description: 'Fails and disables the endpoint.' },
  { status: 429, delaySeconds: 0, label: '429 Too Many Requests', description: 'Fails and is retried.' },
  { status: 500, delaySeconds: 0, label: '500 Server Error', description: 'Fails and is retried.' },
  { status: 503, delaySeconds: 0, label: '503 Unavailable', description: 'Fails and is retried.' },
  { status: 200, delaySeconds: 3, label: '200 after 3 seconds', description: 'Succeeds slowly.' },
  { status: 200, delaySeconds: 20, label: 'Time out', description: 'Answers too late. Retried.' },
];

const keyOf = ({ status, delaySeconds }: TestResponse) => `${status}-${delaySeconds}`;

/** Chooses what a test receiver answers, so that retries and disabled endpoints can be watched. */
function TestResponseCard({ testResponse, update }: { testResponse: TestResponse; update: TunnelActions['update'] }) {
  const disabledReason = useDisabledReason('tunnel.manage');
  const { error, run } = useAsyncAction();
  const present = keyOf(testResponse);
  const options = TEST_RESPONSES.map(({ label, description, ...response }) => ({
    value: keyOf(response),
    label,
    description,
  }));
  const isListed = options.some(({ value }) => value === present);
  const own = { value: present, label: describeTestResponse(testResponse), description: 'Set with the API.' };
  const choose = (key: string) => {
    const chosen = TEST_RESPONSES.find((response) => keyOf(response) === key);
    if (chosen === undefined) return;
    const { status, delaySeconds } = chosen;
    void run(() => update({ testResponse: { status, delaySeconds } }));
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
