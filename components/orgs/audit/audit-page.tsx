'use client';

import { Download, EyeOff } from 'lucide-react';
import { describeError } from '@/components/auth-session/api-error';
import { columnsOf } from '@/components/data-table/column-helper';
import { LiveTable } from '@/components/data-table/live-table';
import { NoMatches } from '@/components/data-table/paged-table';
import { withQuery } from '@/components/data-table/url-filters';
import { useLivePages } from '@/components/data-table/use-live-pages';
import { usePages } from '@/components/data-table/use-pages';
import { useUrlFilters } from '@/components/data-table/use-url-filters';
import { type Downloaded, saveDownload, useDownload } from '@/components/orgs/download/use-download';
import { useOrganization } from '@/components/orgs/use-organization';
import { roleDisabledReason } from '@/components/projects/role-disabled-reason';
import { useProject } from '@/components/projects/use-projects';
import { Button } from '@/components/ui/button';
import { cn } from '@/components/ui/cn';
import { CopyableId } from '@/components/ui/copyable-id';
import { EmptyState } from '@/components/ui/empty-state';
import { formatBytes } from '@/components/ui/format-figures';
import { Link } from '@/components/ui/link';
import { PageHeader } from '@/components/ui/page-header';
import { RelativeTime } from '@/components/ui/relative-time';
import { toast } from '@/components/ui/toast';
import { useBaseUrl } from '@/components/ui/use-base-url';
import type { AuditLogEntry } from '@/lib/audit/schema';
import type { Member, OrganizationSummary } from '@/lib/orgs/schema';
import { actorLabel, targetLabel } from './action-labels';
import { ActionSummary, type DetailLine, showIdOrText } from './action-summary';
import { AUDIT_FILTERS, AuditFilters, dayRange, HIDDEN } from './audit-filters';

const TOP = 'sm:align-top sm:pt-2.5 max-sm:items-start';

const auditColumns = columnsOf<AuditLogEntry>([
  {
    header: 'Action',
    primary: true,
    className: 'sm:align-top max-sm:pr-24',
    cell: (entry) => <ActionCell entry={entry} />,
  },
  { header: 'Actor', className: `${TOP} max-sm:before:pt-px`, cell: (entry) => <ActorCell entry={entry} /> },
  {
    header: 'Target',
    className: `${TOP} max-sm:before:pt-0.75 sm:max-w-72`,
    cell: (entry) => <TargetCell entry={entry} />,
  },
  {
    header: 'Time',
    align: 'end',
    unlabelled: true,
    className: `${TOP} max-sm:absolute max-sm:top-3.5 max-sm:right-0`,
    cell: ({ createdAt }) => <RelativeTime at={createdAt} className="text-muted" />,
  },
]);

const NOUN = ['entry', 'entries'] as const;
const REFRESH_MS = 10_000;

/** The audit log of an organization. */
export function AuditPage() {
  const { organization } = useOrganization();
  if (!organization) return null;
  const disabledReason = roleDisabledReason(organization.role, 'audit_log.read');
  if (disabledReason === undefined) return <AuditLog organization={organization} />;
  return (
    <>
      <AuditHeader organization={organization} query={{}} disabledReason={disabledReason} />
      <div className="flex flex-col items-center rounded-lg border bg-surface px-4 py-12 text-center shadow-raised">
        <EyeOff aria-hidden="true" className="mb-3 size-6 text-muted" />
        <h2 className="font-semibold text-base">Only admins and owners can read the audit log</h2>
        <p className="mt-1 text-balance text-muted text-sm">{disabledReason}</p>
      </div>
    </>
  );
}

function AuditHeader({
  organization,
  query,
  disabledReason,
}: {
  organization: OrganizationSummary;
  query: Record<string, string | undefined>;
  disabledReason?: string;
}) {
  return (
    <PageHeader
      title="Audit log"
      description={
        <>
          Who changed what in <span className="wrap-anywhere font-medium text-text">{organization.name}</span>. Entries
          can’t be changed or deleted.
        </>
      }
      actions={<CsvExport organization={organization} query={query} disabledReason={disabledReason} />}
    />
  );
}

function AuditLog({ organization }: { organization: OrganizationSummary }) {
  const filtering = useUrlFilters(AUDIT_FILTERS);
  const query = {
    action: filtering.filters.action,
    actorId: filtering.filters.actorId,
    withoutSignIns: filtering.filters.signIns === HIDDEN ? 'true' : undefined,
    ...dayRange(filtering.filters),
  };
  const entries = useLivePages<AuditLogEntry>(`/orgs/${organization.id}/audit-log`, query, { pollMs: REFRESH_MS });
  const members = usePages<Member>(`/orgs/${organization.id}/members`, {}, { limit: 100 });
  return (
    <>
      <AuditHeader organization={organization} query={query} />
      <AuditFilters {...filtering} members={members.rows ?? []} />
      <LiveTable
        label="Audit log"
        columns={auditColumns}
        pages={entries}
        noun={NOUN}
        empty={
          filtering.active ? (
            <NoMatches
              title="No matching entries"
              sentence="No entry matches all of these filters."
              onClear={filtering.clear}
            />
          ) : (
            <NoEntry organizationId={organization.id} />
          )
        }
      />
    </>
  );
}

function NoEntry({ organizationId }: { organizationId: string }) {
  const baseUrl = useBaseUrl();
  return (
    <EmptyState
      title="No entries yet"
      sentence="Changes to members, roles, keys and secrets are recorded here."
      code={{
        label: 'Read the audit log with the API',
        code: `curl ${baseUrl}/api/v1/orgs/${organizationId}/audit-log -H "Authorization: Bearer $ACCESS_TOKEN"`,
      }}
    />
  );
}

/** Downloads the filtered entries as CSV. */
function CsvExport({
  organization,
  query,
  disabledReason,
}: {
  organization: OrganizationSummary;
  query: Record<string, string | undefined>;
  disabledReason: string | undefined;
}) {
  const { state, start, cancel } = useDownload();
  const keep = (file: Downloaded) => {
    saveDownload(file);
    if (file.headers.get('X-Audit-Log-Truncated') === 'true') {
      toast.warning(
        'Saved only the newest entries, since files have a size limit. Choose a shorter time range to get the rest.',
      );
    } else toast.success(`Saved, ${formatBytes(file.bytes)}.`);
  };
  const path = withQuery(`/orgs/${organization.id}/audit-log`, { ...query, format: 'csv' });
  const download = () =>
    void start(path, keep, (error) => toast.error(`We couldn’t save the file. ${describeError(error).detail}`));
  if (state.status === 'running') {
    return <Button onClick={cancel}>Cancel ({formatBytes(state.bytes)} so far)</Button>;
  }
  return (
    <Button disabledReason={disabledReason} onClick={download}>
      <Download aria-hidden="true" />
      Download CSV
    </Button>
  );
}

const URL_START = /^https?:/;

/** The action and its details. */
function ActionCell({ entry }: { entry: AuditLogEntry }) {
  return <ActionSummary entry={entry} showValue={(line) => <DetailValue line={line} />} />;
}

function DetailValue({ line }: { line: DetailLine }) {
  const { project } = useProject(line.label === 'Project' ? line.value : undefined);
  return project ? project.name : showIdOrText(line);
}

/** The actor and their IP address. A click on the name filters by the actor. */
function ActorCell({ entry: { actor, ipAddress } }: { entry: AuditLogEntry }) {
  const { filters, setFilters } = useUrlFilters(AUDIT_FILTERS);
  const { id } = actor;
  const name = actorLabel(actor);
  return (
    <div className="min-w-0">
      {id === null || filters.actorId === id ? (
        <span className="wrap-anywhere">{name}</span>
      ) : (
        <button
          type="button"
          title="Show only this actor’s actions"
          onClick={() => setFilters({ actorId: id })}
          className="wrap-anywhere rounded-sm text-left underline-offset-4 hover:underline"
        >
          {name}
        </button>
      )}
      {id !== null && actor.email === undefined ? (
        <CopyableId id={id} short label="Copy actor ID" className="text-muted" />
      ) : null}
      {ipAddress === null ? null : (
        <span className="block text-muted text-xs">
          from <code className="break-all font-mono">{ipAddress}</code>
        </span>
      )}
    </div>
  );
}

/** The target of the action, with a link while it exists. */
function TargetCell({ entry }: { entry: AuditLogEntry }) {
  const { target } = entry;
  const label = targetLabel(target.type);
  return (
    <div className="min-w-0 max-sm:flex max-sm:min-h-6 max-sm:flex-wrap max-sm:items-center max-sm:gap-x-1.5 sm:min-w-40">
      <span className="sm:block">{label}</span>
      {target.name !== undefined ? (
        <TargetName name={target.name} path={targetPath(entry)} />
      ) : target.id === null ? null : (
        <CopyableId id={target.id} short label={`Copy ID: ${label.toLowerCase()}`} className="text-muted" />
      )}
    </div>
  );
}

function TargetName({ name, path }: { name: string; path: string | null }) {
  // One line is as high as an id with its copy button.
  const className = cn('wrap-anywhere line-clamp-6 py-0.75 text-xs', URL_START.test(name) && 'font-mono');
  if (path === null) {
    return (
      <span title={name} className={cn(className, 'text-muted')}>
        {name}
      </span>
    );
  }
  return (
    <Link
      href={path}
      prefetch={false}
      title={name}
      className={cn(className, 'text-accent-text underline-offset-4 hover:underline')}
    >
      {name}
    </Link>
  );
}

const LISTS: Record<string, string> = { subscription: 'subscriptions', api_key: 'keys' };
const PAGES: Record<string, string> = { endpoint: 'endpoints', source: 'sources', tunnel: 'tunnels' };

/** Returns the page of an entry's target: its own, or the list that it is in. Null when it does not exist any more. */
export function targetPath({ target, details }: Pick<AuditLogEntry, 'target' | 'details'>): string | null {
  const { type, id, exists } = target;
  if (!exists || id === null) return null;
  if (type === 'project') return `/projects/${id}`;
  const { projectId, sourceId } = details;
  if (typeof projectId !== 'string') return null;
  if (PAGES[type] !== undefined) return `/projects/${projectId}/${PAGES[type]}/${id}`;
  if (LISTS[type] !== undefined) return `/projects/${projectId}/${LISTS[type]}`;
  if (type === 'destination' && typeof sourceId === 'string') return `/projects/${projectId}/sources/${sourceId}`;
  return null;
}
