'use client';

import { ArrowLeft } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import useSWR from 'swr';
import { formatBytes, formatCount } from '@/components/operator/format-size';
import { useOperator } from '@/components/operator/operator-context';
import { DeleteButton, ExplainedAction } from '@/components/ui/action-buttons';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { CopyableId } from '@/components/ui/copyable-id';
import { ErrorPanel } from '@/components/ui/error-panel';
import { RelativeTime } from '@/components/ui/relative-time';
import { PageSkeleton } from '@/components/ui/skeleton';
import { Stat, StatList } from '@/components/ui/stat';
import { toast } from '@/components/ui/toast';
import type { OrganizationDetail } from '@/lib/admin/schema';
import { OrganizationState } from './organization-columns';

const ROW = 'flex flex-wrap items-center gap-x-4 gap-y-1 border-t px-4 py-2.5 text-sm first:border-t-0';

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

function MemberList({ organization: { members, memberCount } }: { organization: OrganizationDetail }) {
  return (
    <Card title="Members" description={shownOf(members.length, memberCount)} flush>
      {members.length === 0 ? <Nothing>This organization has no members.</Nothing> : null}
      <ul>
        {members.map(({ userId, email, name, role }) => (
          <li key={userId} className={ROW}>
            <span className="wrap-anywhere min-w-0 flex-1 basis-48">
              <span className="font-medium">{email}</span>
              {name === null ? null : <span className="text-muted"> {name}</span>}
            </span>
            <Badge tone={role === 'OWNER' ? 'accent' : 'neutral'}>{role}</Badge>
            <CopyableId id={userId} label={`Copy the ID of ${email}`} short />
          </li>
        ))}
      </ul>
    </Card>
  );
}

function ProjectList({ organization: { projects, projectCount } }: { organization: OrganizationDetail }) {
  return (
    <Card title="Projects" description={shownOf(projects.length, projectCount)} flush>
      {projects.length === 0 ? <Nothing>This organization has no projects.</Nothing> : null}
      <ul>
        {projects.map(({ id, name, deletedAt }) => (
          <li key={id} className={ROW}>
            <span className="wrap-anywhere min-w-0 flex-1 basis-48 font-medium">{name}</span>
            {deletedAt === null ? null : <Badge tone="warning">Being deleted</Badge>}
            <CopyableId id={id} label={`Copy the ID of ${name}`} short />
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** Says how many entries an incomplete list shows. */
function shownOf(shown: number, count: number): string | undefined {
  return shown < count ? `Showing ${formatCount(shown)} of ${formatCount(count)}.` : undefined;
}

function Nothing({ children }: { children: string }) {
  return <p className="px-4 py-3 text-muted text-sm">{children}</p>;
}
