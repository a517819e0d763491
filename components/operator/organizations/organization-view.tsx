'use client';

import { ArrowLeft } from 'lucide-react';
import { useEffect, useRef } from 'react';
import useSWR from 'swr';
import { formatBytes, formatCount } from '@/components/operator/format-size';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { CopyableId } from '@/components/ui/copyable-id';
import { ErrorPanel } from '@/components/ui/error-panel';
import { RelativeTime } from '@/components/ui/relative-time';
import { PageSkeleton } from '@/components/ui/skeleton';
import { Stat, StatList } from '@/components/ui/stat';
import type { OrganizationDetail } from '@/lib/admin/schema';
import { DeleteCard } from './delete-card';
import { OrganizationState } from './organization-columns';
import { MemberList, ProjectList } from './organization-lists';

/** One organization: its members, its data, and its deletion. */
export function OrganizationView({ organizationId, onBack }: { organizationId: string; onBack: () => void }) {
  const { data, error, mutate } = useSWR<OrganizationDetail, unknown>(`/orgs/${organizationId}`);
  const back = useRef<HTMLButtonElement>(null);
  // The clicked row is gone, so keyboard users continue from here.
  useEffect(() => back.current?.focus(), []);
  return (
    <div className="grid gap-4">
      <div>
        <Button ref={back} size="sm" variant="ghost" onClick={onBack}>
          <ArrowLeft aria-hidden="true" />
          All organizations
        </Button>
      </div>
      {data === undefined ? (
        error === undefined ? (
          <PageSkeleton parts={['h-40 w-full', 'h-24 w-full', 'h-40 w-full']} />
        ) : (
          <ErrorPanel what="We couldn’t load the organization" error={error} onRetry={() => void mutate()} />
        )
      ) : (
        <Detail organization={data} onDeleted={onBack} />
      )}
    </div>
  );
}

const COUNTS: { key: keyof OrganizationDetail['counts']; label: string }[] = [
  { key: 'endpoints', label: 'Endpoints' },
  { key: 'subscriptions', label: 'Subscriptions' },
  { key: 'sources', label: 'Sources' },
  { key: 'destinations', label: 'Destinations' },
  { key: 'tunnels', label: 'Tunnels' },
  { key: 'apiKeys', label: 'Unrevoked API keys' },
  { key: 'invitations', label: 'Pending invitations' },
];

const KINDS: Record<OrganizationDetail['storage'][number]['kind'], string> = {
  events: 'Events',
  incomingEvents: 'Incoming events',
  deliveries: 'Deliveries',
  attempts: 'Attempts',
};

function Detail({ organization, onDeleted }: { organization: OrganizationDetail; onDeleted: () => void }) {
  return (
    <>
      <Card
        title={<span className="wrap-anywhere">{organization.name}</span>}
        description={<CopyableId id={organization.id} label="Copy organization ID" />}
        actions={<OrganizationState deletedAt={organization.deletedAt} />}
      >
        <StatList>
          <Stat label="Created">
            <RelativeTime at={organization.createdAt} />
          </Stat>
          <Stat label="Members">{formatCount(organization.memberCount)}</Stat>
          <Stat label="Projects">{formatCount(organization.projectCount)}</Stat>
          {COUNTS.map(({ key, label }) => (
            <Stat key={key} label={label}>
              {formatCount(organization.counts[key])}
            </Stat>
          ))}
        </StatList>
      </Card>
      <Card
        title="Stored"
        description="Attempts are estimated from deliveries, and sizes from the average row across all organizations."
      >
        <StatList>
          {organization.storage.map(({ kind, rows, isAtLeast, estimatedBytes }) => (
            <Stat key={kind} label={KINDS[kind]}>
              {isAtLeast ? 'at least ' : ''}
              {formatCount(rows)} <span className="text-muted">· about {formatBytes(estimatedBytes)}</span>
            </Stat>
          ))}
        </StatList>
      </Card>
      <MemberList organization={organization} />
      <ProjectList organization={organization} />
      {organization.deletedAt === null ? <DeleteCard organization={organization} onDeleted={onDeleted} /> : null}
    </>
  );
}
