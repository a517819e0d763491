'use client';

import { Ban, RefreshCw } from 'lucide-react';
import { useParams } from 'next/navigation';
import { type ReactNode, useState } from 'react';
import { apiFetch } from '@/components/auth-session/api-fetch';
import { Browser } from '@/components/events/sender';
import { HistoryTabs } from '@/components/orgs/audit/history-links';
import { ResourceFailure, ResourcePage } from '@/components/projects/resource-page';
import { useDisabledReason, useProjectPath } from '@/components/projects/use-projects';
import { useFirstHundred, useResource } from '@/components/projects/use-resource';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { CopyableId } from '@/components/ui/copyable-id';
import { TextLink } from '@/components/ui/link';
import { PageHeader } from '@/components/ui/page-header';
import { RelativeTime } from '@/components/ui/relative-time';
import { Skeleton } from '@/components/ui/skeleton';
import { Stat, StatList } from '@/components/ui/stat';
import type { EventListItem } from '@/lib/events/schema';
import type { ApiKey, CreatedApiKey } from '@/lib/keys/schema';
import { KeyBadge } from './key-badge';
import { KeyDialogs, type OpenDialog } from './key-dialogs';
import { describeUnused, rotateDisabledReason, SCOPES, sendersOf } from './key-state';

/** One API key: its state, and from where it sends. */
export function KeyPage() {
  const { apiKeyId } = useParams<{ apiKeyId: string }>();
  const loaded = useResource<ApiKey>(`api-keys/${apiKeyId}`);
  return (
    <ResourcePage
      from={loaded}
      skeleton={['h-7 w-56', 'h-32 w-full', 'h-64 w-full']}
      failure={(failure) => <ResourceFailure kind="key" {...failure} />}
    >
      {(apiKey) => (
        <>
          <KeyHead apiKey={apiKey} reload={loaded.reload} />
          <HistoryTabs targetId={apiKey.id} isActor>
            <div className="grid gap-4">
              <KeyFacts apiKey={apiKey} />
              <SendersCard keyId={apiKey.id} />
            </div>
          </HistoryTabs>
        </>
      )}
    </ResourcePage>
  );
}

function KeyHead({ apiKey, reload }: { apiKey: ApiKey; reload: () => Promise<unknown> }) {
  const path = useProjectPath('api-keys');
  const disabledReason = useDisabledReason('api_key.manage');
  const [dialog, setDialog] = useState<OpenDialog | null>(null);
  return (
    <>
      <PageHeader
        title={<span className="wrap-anywhere">{apiKey.name}</span>}
        description={<code className="font-mono text-xs">{apiKey.hint}</code>}
        actions={
          apiKey.status === 'REVOKED' ? null : (
            <>
              <Button
                disabledReason={disabledReason ?? rotateDisabledReason(apiKey, new Date())}
                onClick={() => setDialog({ what: 'rotate', key: apiKey })}
              >
                <RefreshCw aria-hidden="true" />
                Rotate
              </Button>
              <Button
                variant="quietDanger"
                disabledReason={disabledReason}
                onClick={() => setDialog({ what: 'revoke', key: apiKey })}
              >
                <Ban aria-hidden="true" />
                Revoke
              </Button>
            </>
          )
        }
      />
      <KeyDialogs
        keys={[apiKey]}
        dialog={dialog}
        onClose={() => setDialog(null)}
        make={async (tail, body) => {
          const key = await apiFetch<CreatedApiKey>(path + tail, { method: 'POST', body });
          // Does not wait for the page: if its reload failed, the plaintext would be lost.
          void reload();
          return key;
        }}
        revoke={async (keyId) => {
          await apiFetch(`${path}/${keyId}`, { method: 'DELETE' });
          await reload();
        }}
      />
    </>
  );
}

function KeyFacts({ apiKey }: { apiKey: ApiKey }) {
  const keys = useProjectPath('keys');
  const { lastUsedAt, lastUsedFrom, createdAt, createdBy, replacedById } = apiKey;
  return (
    <Card>
      <StatList>
        <Stat label="State">
          <KeyBadge apiKey={apiKey} />
        </Stat>
        <Stat label="Scope">{SCOPES[apiKey.scope].label}</Stat>
        <Stat label="Last used">
          {lastUsedAt === null ? describeUnused(apiKey, new Date()) : <RelativeTime at={lastUsedAt} />}
          {lastUsedFrom === null ? null : <span className="block text-muted text-xs">from {lastUsedFrom}</span>}
        </Stat>
        <Stat label="Created">
          <RelativeTime at={createdAt} />
          {createdBy === null ? null : (
            <span className="block text-muted text-xs">
              by {createdBy.name ?? createdBy.email ?? 'a former member'}
            </span>
          )}
        </Stat>
        {replacedById === null ? null : (
          <Stat label="Replaced by">
            <TextLink href={`${keys}/${replacedById}`}>View the new key</TextLink>
          </Stat>
        )}
      </StatList>
    </Card>
  );
}

/** The addresses that the newest events of a key came from. */
function SendersCard({ keyId }: { keyId: string }) {
  const path = useProjectPath('events');
  const { rows, hasMore } = useFirstHundred<EventListItem>(`${path}?apiKeyId=${keyId}`, { refreshInterval: 10_000 });
  if (rows === undefined) return <Skeleton className="h-48 w-full" />;
  const count = rows.length;
  return (
    <Card
      title="Where it sends from"
      description={
        count === 0
          ? 'This key has sent no events that are still kept.'
          : `The addresses of its ${hasMore ? 'newest 100' : count} events. Reading isn’t listed.`
      }
      actions={
        <TextLink href={`${path}?apiKeyId=${keyId}`} className="text-sm">
          View events
        </TextLink>
      }
    >
      {count === 0 ? null : (
        <ul className="grid gap-2">
          {sendersOf(rows).map(({ address, events, newestAt }) => (
            <li key={address} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 text-sm">
              {address === null ? <Browser /> : <CopyableId id={address} label="Copy the address" />}
              <span className="text-muted">
                <EventsFrom path={`${path}?apiKeyId=${keyId}`} address={address}>
                  {events} {events === 1 ? 'event' : 'events'}
                </EventsFrom>
                , newest <RelativeTime at={newestAt} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

/** Leads to what was sent from an address, if there is one. */
function EventsFrom({ path, address, children }: { path: string; address: string | null; children: ReactNode }) {
  if (address === null) return children;
  return <TextLink href={`${path}&clientAddress=${encodeURIComponent(address)}`}>{children}</TextLink>;
}
