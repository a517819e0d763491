'use client';

import { RefreshCw } from 'lucide-react';
import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { CodeBlock } from '@/components/ui/code-block';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { RelativeTime } from '@/components/ui/relative-time';
import { Stat, StatList } from '@/components/ui/stat';
import { toast } from '@/components/ui/toast';
import { UnreadableUrl } from '@/components/ui/unreadable-url';
import { useBaseUrl } from '@/components/ui/use-base-url';
import type { Tunnel } from '@/lib/tunnel/schema';
import { withoutFullPrefix } from './access-values';
import { LastSeen } from './last-seen';
import { listenCommand } from './listen-command';
import type { TunnelActions } from './use-tunnels';

/** The public URL of a tunnel, who may use it, and how to connect a client when none is. */
export function TunnelAddress({
  projectId,
  tunnel,
  actions,
  disabledReason,
}: {
  projectId: string;
  tunnel: Tunnel;
  actions: Pick<TunnelActions, 'rotateUrl'>;
  disabledReason: string | undefined;
}) {
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
        <StatList>
          <Stat label="Password">
            {tunnel.basicAuth === null ? 'Not required' : `Required, username ${tunnel.basicAuth.username}`}
          </Stat>
          <Stat label="Allowed IP addresses">
            {tunnel.allowedCidrs.length === 0 ? (
              'Any'
            ) : (
              <span className="break-all font-mono text-xs">
                {tunnel.allowedCidrs.map(withoutFullPrefix).join(', ')}
              </span>
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
          <ConnectHint projectId={projectId} tunnelId={tunnel.id} />
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

function ConnectHint({ projectId, tunnelId }: { projectId: string; tunnelId: string }) {
  const baseUrl = useBaseUrl();
  return (
    <div className="grid gap-2 border-t pt-4">
      <p className="text-muted text-sm">No client is connected. Start one on the machine that runs your server:</p>
      <CodeBlock label="Command to connect" language="shell" code={listenCommand(baseUrl, projectId, tunnelId)} wrap />
    </div>
  );
}
