'use client';

import { RefreshCw } from 'lucide-react';
import dynamic from 'next/dynamic';
import { useState } from 'react';
import { CurrentBulkRetries } from '@/components/bulk-retries/current-bulk-retries';
import { LiveTable } from '@/components/data-table/live-table';
import { useLivePages } from '@/components/data-table/use-live-pages';
import { DestinationsCard } from '@/components/destinations/destinations-card';
import { useDestinationOutages, useDestinations } from '@/components/destinations/use-destinations';
import { incomingEventColumnsOfSource } from '@/components/incoming-events/incoming-event-columns';
import { LiveMark } from '@/components/live/live-mark';
import { HistoryTabs } from '@/components/orgs/audit/history-links';
import { PreviousSecret, VERIFYING_EFFECT } from '@/components/projects/previous-secret';
import { ResourceFailure, ResourceHead, ResourcePage } from '@/components/projects/resource-page';
import { SecretCard, useSecret } from '@/components/projects/secret-card';
import { SignatureCheck, SourceState } from '@/components/projects/state-badges';
import { useDisabledReason, useProjectId, useProjectPath } from '@/components/projects/use-projects';
import { CheckSignatureCard } from '@/components/signatures/check-signature-card';
import { Button } from '@/components/ui/button';
import { Callout, UnreadableUrl } from '@/components/ui/callout';
import { Card } from '@/components/ui/card';
import { CopyValue } from '@/components/ui/copy-button';
import { CopyableId } from '@/components/ui/copyable-id';
import { Dialog } from '@/components/ui/dialog';
import { formatAbsolute } from '@/components/ui/format-time';
import { TextLink } from '@/components/ui/link';
import { RelativeTime } from '@/components/ui/relative-time';
import { Skeleton } from '@/components/ui/skeleton';
import { Stat, StatList } from '@/components/ui/stat';
import { toast } from '@/components/ui/toast';
import type { IncomingEvent } from '@/lib/incoming/schema';
import { describeMetadata } from '@/lib/platform/metadata-policy';
import { PROVIDERS, ProviderMark } from './providers';
import { SetupCard } from './setup-card';
import { SourceContext, useFollowedLastEvents, useLastEvents, useSource, useSourceScope } from './use-sources';

const EditSourceForm = dynamic(() => import('./source-form').then((part) => part.EditSourceForm));
const RotationForm = dynamic(() => import('@/components/projects/rotation-form').then((part) => part.RotationForm));
const RotateSecretForm = dynamic(() => import('./secret-forms').then((part) => part.RotateSecretForm));

/** One source: its URL, how to set up its provider, its destinations, secret and incoming events. */
export function SourcePage() {
  const actions = useSource();
  const secret = useSecret(actions);
  return (
    <ResourcePage
      from={actions}
      skeleton={['h-9 w-64 max-w-full', 'h-36 w-full', 'h-80 w-full', 'h-40 w-full']}
      failure={(failure) => <ResourceFailure kind="source" {...failure} />}
    >
      {(source) => (
        <SourceContext value={{ source, actions, secret }}>
          <SourceHead />
          <HistoryTabs targetId={source.id}>
            <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
              {source.enabled ? null : (
                <Callout tone="warning">
                  <span className="font-medium">This source is disabled.</span> Requests to its URL get a 404. Edit the
                  source to enable it.
                </Callout>
              )}
              <SourceUrlCard />
              <SourceCards />
            </div>
          </HistoryTabs>
        </SourceContext>
      )}
    </ResourcePage>
  );
}

function SourceHead() {
  const { source, actions } = useSourceScope();
  const { id, name, provider } = source;
  return (
    <ResourceHead
      kind="source"
      title={
        <span className="flex min-w-0 items-center gap-3">
          <ProviderMark provider={provider} size="md" />
          <span className="min-w-0 break-words">{name}</span>
        </span>
      }
      description={
        <span className="mt-1.5 flex flex-wrap items-center gap-x-3">
          {name === PROVIDERS[provider].name ? null : PROVIDERS[provider].name}
          <CopyableId id={id} label="Copy source ID" />
        </span>
      }
      disabledReason={useDisabledReason('source.manage')}
      editForm={(close) => <EditSourceForm source={source} send={(body) => actions.update(body).then(close)} />}
      editSize={provider === 'GENERIC_HMAC' || provider === 'TOKEN' ? 'lg' : 'md'}
      deletion={{
        title: 'Delete this source?',
        description:
          'Its URL stops working immediately, and its destinations are deleted too. Incoming events stay visible until retention removes them.',
        typeToConfirm: name,
      }}
      remove={actions.remove}
    />
  );
}

/** The URL of a source with its state, and the button that replaces the URL. */
function SourceUrlCard() {
  const { source, actions } = useSourceScope();
  const disabledReason = useDisabledReason('source.secret');
  const { last } = useLastEvents();
  const events = useProjectPath('incoming-events');
  const [asking, setAsking] = useState(false);
  const rotate = async (gracePeriodHours: number) => {
    await actions.rotateUrl(gracePeriodHours);
    setAsking(false);
    toast.success('URL rotated. Update the provider with the new one.');
  };
  return (
    <Card>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
        <div className="flex flex-wrap items-end gap-x-3 gap-y-2">
          {source.url === null ? null : <CopyValue label="URL" value={source.url} className="flex-1 basis-80" />}
          {source.url === null && disabledReason === undefined ? <UnreadableUrl /> : null}
          {source.url === null && disabledReason !== undefined ? (
            <Callout tone="accent" className="flex-1 basis-80">
              <p className="font-medium">The URL is hidden.</p>
              <p>Anyone with the URL can send events to this source. {disabledReason}</p>
            </Callout>
          ) : null}
          <Button className="h-9" disabledReason={disabledReason} onClick={() => setAsking(true)}>
            <RefreshCw aria-hidden="true" />
            Rotate URL
          </Button>
        </div>
        {source.previousUrlExpiresAt ? (
          <Callout tone="accent">
            The previous URL works until {formatAbsolute(new Date(source.previousUrlExpiresAt))}.
          </Callout>
        ) : null}
        <StatList>
          <Stat label="State">
            <SourceState {...source} />
          </Stat>
          <Stat label="Signature check">
            <SignatureCheck {...source} />
          </Stat>
          <Stat label="Last event">
            {last.event ? (
              <TextLink href={`${events}/${last.event.id}`}>
                <RelativeTime at={last.event.createdAt} inRow />
              </TextLink>
            ) : (
              <span className="text-muted">{last.event === null ? 'None yet' : '…'}</span>
            )}
          </Stat>
          <Stat label="Created">
            <RelativeTime at={source.createdAt} />
          </Stat>
          {Object.keys(source.metadata).length === 0 ? null : (
            <Stat label="Metadata">{describeMetadata(source.metadata)}</Stat>
          )}
        </StatList>
      </div>
      <Dialog open={asking} onOpenChange={setAsking} title="Rotate the URL?">
        <RotationForm
          what="URL"
          text="Update the provider with the new URL afterward. Any older URL that still works stops working now."
          send={rotate}
        />
      </Dialog>
    </Card>
  );
}

/** The cards whose height depends on what they load. None is shown before all have loaded, so that none moves another. */
function SourceCards() {
  const { source, actions } = useSourceScope();
  const disabledReason = useDisabledReason('source.secret');
  const ofDestinations = useDestinations(source.id);
  const { destinations, error } = ofDestinations;
  const outages = useDestinationOutages(ofDestinations);
  const hasEvents = useFollowedLastEvents();
  const isLoading = !hasEvents || (destinations === undefined && !error) || outages.isLoading;
  // The outages of a new destination load behind its dialog.
  const [hasLoaded, setHasLoaded] = useState(false);
  if (!isLoading && !hasLoaded) setHasLoaded(true);
  if (!hasLoaded) return <Skeleton className="h-96 w-full" />;
  const isOfSource = ({ destinationId }: { destinationId?: string }) =>
    destinations?.some(({ id }) => id === destinationId) === true;
  return (
    <>
      <CurrentBulkRetries isShown={isOfSource} />
      {source.url === null ? null : <SetupCard url={source.url} />}
      <DestinationsCard actions={ofDestinations} outages={outages} />
      {source.hasSecret ? <SourceSecretCard /> : null}
      {source.provider === 'NONE' ? null : (
        <CheckSignatureCard
          description="Paste a request of the provider. We say whether it verifies with this source’s secrets, and if not, why. Nothing is stored."
          guide="/docs/guides/incoming#when-a-signature-doesnt-match"
          disabledReason={disabledReason}
          verified="This source accepts such a request."
          send={actions.checkSignature}
        />
      )}
      <SourceEvents />
    </>
  );
}

/** The secret that verifies requests. A source without one says where to set it. */
function SourceSecretCard() {
  const { source, actions, secret } = useSourceScope();
  const [asking, setAsking] = useState(false);
  const isTheirs = PROVIDERS[source.provider].secretMaker === 'provider';
  const disabledReason = useDisabledReason('source.secret');
  const rotate = async (given: string | undefined, gracePeriodHours: number) => {
    await secret.replace(await actions.rotateSecret(given, gracePeriodHours), given === undefined);
    setAsking(false);
    toast.success(given === undefined ? 'Secret rotated. Update the sender with the new one.' : 'Secret replaced.');
  };
  return (
    <SecretCard
      secret={secret}
      mask="••••••••••••••••••••••••••••••••"
      description="We use it to verify requests. Viewing or rotating it is recorded in the audit log."
      previous={
        <PreviousSecret
          expiresAt={source.previousSecretExpiresAt}
          effect={VERIFYING_EFFECT}
          end={actions.endPreviousSecret}
          disabledReason={disabledReason}
        />
      }
      replaceLabel={isTheirs ? 'Replace' : 'Rotate'}
      onReplace={() => setAsking(true)}
      disabledReason={disabledReason}
    >
      <Dialog
        open={asking}
        onOpenChange={setAsking}
        title={isTheirs ? 'Replace the signing secret' : 'Rotate the signing secret'}
      >
        <RotateSecretForm provider={source.provider} send={rotate} />
      </Dialog>
    </SecretCard>
  );
}

const SHOWN = 10;
const KINDS = ['incomingEvents', 'deliveries'] as const;
const POLL_MS = 3000;

function SourceEvents() {
  const { source } = useSourceScope();
  const projectId = useProjectId();
  const path = useProjectPath('incoming-events');
  const filters = { sourceId: source.id };
  const events = useLivePages<IncomingEvent>(path, filters, { projectId, kinds: KINDS, pollMs: POLL_MS });
  return (
    <section aria-labelledby="incoming-events" className="mt-2">
      <div className="mb-3 flex items-center justify-between gap-4">
        <h2 id="incoming-events" className="font-semibold text-base">
          Incoming events
        </h2>
        <span className="flex items-center gap-3">
          <LiveMark status={events.status} className="max-sm:static" />
          <TextLink href={`${path}?sourceId=${source.id}`} className="text-sm">
            View all
          </TextLink>
        </span>
      </div>
      <LiveTable
        label="Incoming events"
        columns={incomingEventColumnsOfSource}
        pages={{ ...events, rows: events.rows?.slice(0, SHOWN), hasMore: false }}
        noun={['event', 'events']}
        rowHref={({ id }) => `${path}/${id}`}
        empty={<p className="px-4 py-8 text-center text-muted text-sm">Events appear here as soon as they arrive.</p>}
      />
    </section>
  );
}
