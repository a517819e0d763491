'use client';

import { ArrowLeft, Trash2 } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import useSWR from 'swr';
import { DeleteButton, ExplainedAction } from '@/components/ui/action-buttons';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { CopyableId } from '@/components/ui/copyable-id';
import { ErrorPanel } from '@/components/ui/error-panel';
import { formatBytes, formatCount } from '@/components/ui/format-figures';
import { RelativeTime } from '@/components/ui/relative-time';
import { PageSkeleton } from '@/components/ui/skeleton';
import { Stat, StatList } from '@/components/ui/stat';
import { toast } from '@/components/ui/toast';
import type { OrganizationDetail } from '@/lib/admin/schema';
import { useOperator } from './operator-context';

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

const COUNTS: [key: keyof OrganizationDetail['counts'], label: string][] = [
  ['endpoints', 'Endpoints'],
  ['subscriptions', 'Subscriptions'],
  ['sources', 'Sources'],
  ['destinations', 'Destinations'],
  ['tunnels', 'Tunnels'],
  ['apiKeys', 'Unrevoked API keys'],
  ['invitations', 'Pending invitations'],
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
          {COUNTS.map(([key, label]) => (
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
      <EntryList
        title="Members"
        count={organization.memberCount}
        nothing="This organization has no members."
        entries={organization.members.map(({ userId, email, name, role }) => ({
          id: userId,
          name: email,
          more: name,
          badge: <Badge tone={role === 'OWNER' ? 'accent' : 'neutral'}>{role}</Badge>,
        }))}
      />
      <EntryList
        title="Projects"
        count={organization.projectCount}
        nothing="This organization has no projects."
        entries={organization.projects.map(({ id, name, deletedAt }) => ({
          id,
          name,
          more: null,
          badge: deletedAt === null ? null : <Badge tone="warning">Being deleted</Badge>,
        }))}
      />
      {organization.deletedAt === null ? <DeleteCard organization={organization} onDeleted={onDeleted} /> : null}
    </>
  );
}

export function OrganizationState({ deletedAt }: Pick<OrganizationDetail, 'deletedAt'>) {
  return deletedAt === null ? (
    <Badge>Active</Badge>
  ) : (
    <Badge tone="warning" icon={Trash2}>
      Being deleted
    </Badge>
  );
}

/** Deletes an organization after its exact name is typed. */
function DeleteCard({ organization, onDeleted }: { organization: OrganizationDetail; onDeleted: () => void }) {
  const { id, name, memberCount, projectCount } = organization;
  const operator = useOperator();
  const [asking, setAsking] = useState(false);
  const erase = async () => {
    await operator.send(`/orgs/${id}`, { method: 'DELETE' });
    toast.success(`${name} was deleted.`);
    onDeleted();
  };
  return (
    <Card title="Delete" className="border-danger-text/40">
      <ExplainedAction text="Deletes the organization for all members. Its audit log is kept. This can’t be undone.">
        <DeleteButton label="Delete organization" onClick={() => setAsking(true)} />
      </ExplainedAction>
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title="Delete this organization?"
        description={
          <p>
            Permanently deletes {formatCount(projectCount)} {projectCount === 1 ? 'project' : 'projects'} with all API
            keys, events and deliveries. {formatCount(memberCount)}{' '}
            {memberCount === 1 ? 'member loses' : 'members lose'} access immediately. This can’t be undone.
          </p>
        }
        typeToConfirm={name}
        confirmLabel="Delete organization"
        onConfirm={erase}
      />
    </Card>
  );
}

interface EntryListProps {
  title: string;
  count: number;
  nothing: string;
  entries: { id: string; name: string; more: ReactNode; badge: ReactNode }[];
}

/** The members or projects. Says how many there are when the list is incomplete. */
function EntryList({ title, count, nothing, entries }: EntryListProps) {
  const shown = `Showing ${formatCount(entries.length)} of ${formatCount(count)}.`;
  return (
    <Card title={title} description={entries.length < count ? shown : undefined} flush>
      {entries.length === 0 ? <p className="px-4 py-3 text-muted text-sm">{nothing}</p> : null}
      <ul>
        {entries.map(({ id, name, more, badge }) => (
          <li
            key={id}
            className="flex flex-wrap items-center gap-x-4 gap-y-1 border-t px-4 py-2.5 text-sm first:border-t-0"
          >
            <span className="wrap-anywhere min-w-0 flex-1 basis-48">
              <span className="font-medium">{name}</span> <span className="text-muted">{more}</span>
            </span>
            {badge}
            <CopyableId id={id} label={`Copy the ID of ${name}`} short />
          </li>
        ))}
      </ul>
    </Card>
  );
}
