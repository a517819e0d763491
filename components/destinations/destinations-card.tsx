'use client';

import { KeyRound, Pause, Pencil, PenLine, Play, Plus, RotateCw, Send, ShieldCheck, Trash2 } from 'lucide-react';
import dynamic from 'next/dynamic';
import { type ReactNode, useState } from 'react';
import { describeError } from '@/components/auth-session/api-error';
import { describeRetrySeconds } from '@/components/endpoints/endpoint-fields';
import { OutageStrip } from '@/components/endpoints/outage-strip';
import { createCurl } from '@/components/keys/samples';
import { EndpointState } from '@/components/projects/state-badges';
import { useDisabledReason, useProjectPath } from '@/components/projects/use-projects';
import { useSourceScope } from '@/components/sources/use-sources';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { MenuItem, MenuSeparator, RowMenu } from '@/components/ui/dropdown-menu';
import { EmptyState } from '@/components/ui/empty-state';
import { ErrorPanel } from '@/components/ui/error-panel';
import { Link, TextLink } from '@/components/ui/link';
import { RelativeTime } from '@/components/ui/relative-time';
import { Skeleton } from '@/components/ui/skeleton';
import { toast } from '@/components/ui/toast';
import { useBaseUrl } from '@/components/ui/use-base-url';
import type { Destination } from '@/lib/incoming/schema';
import { describeMetadata } from '@/lib/platform/metadata-policy';
import type { OpenDestinationDialog } from './destination-dialogs';
import { type DestinationActions, describeAuth, outageTargetOf, type useDestinationOutages } from './use-destinations';

/** Without `loading` the whole page waits for the code, and what is typed meanwhile is lost. */
const DestinationDialogs = dynamic(() => import('./destination-dialogs').then((part) => part.DestinationDialogs), {
  loading: () => null,
});

/** The destinations of a source: where its verified events are forwarded, and when they were down. */
export function DestinationsCard({ actions, outages }: Pick<ListProps, 'actions' | 'outages'>) {
  const { source } = useSourceScope();
  const disabledReason = useDisabledReason('destination.manage');
  const [dialog, setDialog] = useState<OpenDestinationDialog | null>();
  const isEmpty = actions.destinations?.length === 0;
  const add = (
    <Button
      size={isEmpty ? 'md' : 'sm'}
      variant={isEmpty ? 'primary' : 'secondary'}
      disabledReason={disabledReason}
      onClick={() => setDialog({ kind: 'create' })}
    >
      <Plus aria-hidden="true" />
      Add destination
    </Button>
  );
  return (
    <Card
      title="Destinations"
      description={
        source.provider === 'NONE'
          ? 'We forward every event to each of these URLs.'
          : 'We forward every verified event to each of these URLs.'
      }
      actions={isEmpty ? null : add}
      flush
    >
      <DestinationList actions={actions} outages={outages} add={add} open={setDialog} />
      {dialog === undefined ? null : <DestinationDialogs dialog={dialog} open={setDialog} actions={actions} />}
    </Card>
  );
}

interface ListProps {
  actions: DestinationActions;
  outages: ReturnType<typeof useDestinationOutages>;
  open: (dialog: OpenDestinationDialog) => void;
}

function DestinationList({ actions, outages, add, open }: ListProps & { add: ReactNode }) {
  const baseUrl = useBaseUrl();
  const { path, destinations, error, reload } = actions;
  if (destinations === undefined && error) {
    return <ErrorPanel what="We couldn’t load the destinations" error={error} onRetry={() => void reload()} />;
  }
  if (destinations === undefined) {
    return (
      <div className="grid gap-2 p-4">
        <Skeleton className="w-80 max-w-full" />
        <Skeleton className="w-56 max-w-full" />
      </div>
    );
  }
  if (destinations.length === 0) {
    return (
      <EmptyState
        title="No destinations yet"
        sentence="Events are stored but not forwarded. Add a URL to forward them to, with automatic retries."
        action={add}
        code={{
          label: 'Create a destination with the API',
          code: createCurl(baseUrl, path, '{"url": "https://example.com/webhooks"}'),
        }}
      />
    );
  }
  return (
    <ul className="divide-y">
      {destinations.map((destination) => (
        <DestinationRow
          key={destination.id}
          destination={destination}
          actions={actions}
          outages={outages}
          open={open}
        />
      ))}
    </ul>
  );
}

/** One destination: its URL, health, authentication and signing, with a menu, and its outages. */
function DestinationRow({ destination, actions, outages, open }: ListProps & { destination: Destination }) {
  const disabledReason = useDisabledReason('destination.manage');
  const secretDisabledReason = useDisabledReason('destination.secret');
  const retryDisabledReason = useDisabledReason('delivery.retry');
  const target = outageTargetOf(actions, destination);
  const deliveries = useProjectPath(`deliveries?destinationId=${destination.id}`);
  const { id, url, description, enabled, failingSince } = destination;
  const item = { disabledReason };
  const resume = () =>
    void actions.update(id, { enabled: true }).catch((error: unknown) => toast.error(describeError(error).detail));
  return (
    <li className="grid grid-cols-[minmax(0,1fr)] gap-3 px-4 py-3">
      <div className="flex items-start gap-3">
        <div className="grid min-w-0 flex-1 grid-cols-1 gap-1">
          <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
            <code title={url} className="line-clamp-6 min-w-0 break-all font-medium font-mono text-sm">
              {url}
            </code>
            <EndpointState {...destination} />
          </div>
          {description === null ? null : <p className="break-words text-sm">{description}</p>}
          <WhyDisabled destination={destination} />
          <ul className="flex flex-wrap gap-x-4 gap-y-0.5 text-muted text-xs [&_svg]:size-3.5 [&_svg]:shrink-0 [&>li]:inline-flex [&>li]:min-w-0 [&>li]:items-center [&>li]:gap-1.5">
            {enabled && failingSince !== null ? (
              <li className="text-warning-text">
                <span>
                  Failing since <RelativeTime at={failingSince} />
                </span>
              </li>
            ) : null}
            <li className={destination.auth?.type === 'UNREADABLE' ? 'text-danger-text' : ''}>
              <KeyRound aria-hidden="true" />
              <span className="min-w-0 break-all">{describeAuth(destination.auth)}</span>
            </li>
            <li>
              <ShieldCheck aria-hidden="true" />
              {destination.hasSecret ? 'Signed' : 'Unsigned'}
            </li>
            {Object.keys(destination.metadata).length === 0 ? null : (
              <li className="wrap-anywhere">{describeMetadata(destination.metadata)}</li>
            )}
            <li>Retries {describeRetrySeconds(destination.retrySeconds).toLowerCase()}</li>
            <li>
              <TextLink href={deliveries}>View deliveries</TextLink>
            </li>
          </ul>
        </div>
        <RowMenu of={url}>
          <MenuItem {...item} onSelect={() => open({ kind: 'edit', destination })}>
            <Pencil aria-hidden="true" />
            Edit
          </MenuItem>
          <MenuItem disabledReason={secretDisabledReason} onSelect={() => open({ kind: 'secret', destination })}>
            <PenLine aria-hidden="true" />
            Signing secret
          </MenuItem>
          {enabled ? (
            <MenuItem {...item} onSelect={() => open({ kind: 'pause', destination })}>
              <Pause aria-hidden="true" />
              Pause
            </MenuItem>
          ) : (
            <MenuItem {...item} onSelect={resume}>
              <Play aria-hidden="true" />
              {destination.disabledReason === null ? 'Resume' : 'Enable'}
            </MenuItem>
          )}
          <MenuItem asChild>
            <Link href={deliveries}>
              <Send aria-hidden="true" />
              View deliveries
            </Link>
          </MenuItem>
          <MenuItem disabledReason={retryDisabledReason} onSelect={() => open({ kind: 'recover', destination })}>
            <RotateCw aria-hidden="true" />
            Recover since…
          </MenuItem>
          <MenuSeparator />
          <MenuItem {...item} tone="danger" onSelect={() => open({ kind: 'remove', destination })}>
            <Trash2 aria-hidden="true" />
            Delete
          </MenuItem>
        </RowMenu>
      </div>
      <OutageStrip
        label={`Outages of ${url}`}
        target={target}
        outages={outages.of(target)}
        onStarted={() => outages.reload()}
      />
    </li>
  );
}

/** Says since when and why a destination gets no deliveries. Renders nothing while it is enabled. */
function WhyDisabled({ destination }: { destination: Destination }) {
  const { enabled, disabledReason, disabledAt, pauseReason } = destination;
  if (enabled) return null;
  const since = disabledAt === null ? null : <RelativeTime at={disabledAt} className="whitespace-normal" />;
  if (disabledReason !== null) {
    return (
      <p className="text-danger-text text-sm">
        Disabled automatically{since === null ? null : <> {since}</>}: {disabledReason}
      </p>
    );
  }
  return (
    <p className="break-words text-muted text-sm">
      Paused{since === null ? null : <> {since}</>}
      {pauseReason === null ? '.' : `: ${pauseReason}`}
    </p>
  );
}
