'use client';

import type { ReactNode } from 'react';
import { columnsOf } from '@/components/data-table/column-helper';
import { useUrlFilters } from '@/components/data-table/use-url-filters';
import { useProject } from '@/components/projects/use-projects';
import { cn } from '@/components/ui/cn';
import { CopyableId } from '@/components/ui/copyable-id';
import { Link } from '@/components/ui/link';
import { RelativeTime } from '@/components/ui/relative-time';
import type { AuditLogEntry } from '@/lib/audit/schema';
import { actorLabel, targetLabel } from './action-labels';
import { ActionSummary, type DetailLine, showIdOrText } from './action-summary';
import { AUDIT_FILTERS } from './audit-filters';

const TOP = 'sm:align-top sm:pt-2.5 max-sm:items-start';

const ACTION = {
  header: 'Action',
  primary: true,
  className: 'sm:align-top max-sm:pr-24',
  cell: (entry: AuditLogEntry) => <ActionCell entry={entry} />,
};
const ACTOR = { header: 'Actor', className: `${TOP} max-sm:before:pt-px` };
const TIME = {
  header: 'Time',
  align: 'end',
  unlabelled: true,
  className: `${TOP} max-sm:absolute max-sm:top-3.5 max-sm:right-0`,
  cell: ({ createdAt }: AuditLogEntry) => <RelativeTime at={createdAt} className="text-muted" />,
} as const;

const TARGET = {
  header: 'Target',
  className: `${TOP} max-sm:before:pt-0.75 sm:max-w-72`,
  cell: (entry: AuditLogEntry) => <TargetCell entry={entry} />,
};

/** The columns of the audit log. */
export const auditColumns = columnsOf<AuditLogEntry>([
  ACTION,
  { ...ACTOR, cell: (entry) => <ActorCell entry={entry} name={<FilteringName entry={entry} />} /> },
  TARGET,
  TIME,
]);

/** Those of what one actor did. */
export const changesColumns = columnsOf<AuditLogEntry>([ACTION, TARGET, TIME]);

/** Those of the history of one target. */
export const historyColumns = columnsOf<AuditLogEntry>([
  ACTION,
  { ...ACTOR, cell: (entry) => <ActorCell entry={entry} name={actorLabel(entry.actor)} /> },
  TIME,
]);

const URL_START = /^https?:/;

/** The action and its details. */
function ActionCell({ entry }: { entry: AuditLogEntry }) {
  return <ActionSummary entry={entry} showValue={(line) => <DetailValue line={line} />} />;
}

function DetailValue({ line }: { line: DetailLine }) {
  const { project } = useProject(line.label === 'Project' ? line.value : undefined);
  return project ? project.name : showIdOrText(line);
}

/** The actor and their IP address. */
function ActorCell({ entry: { actor, ipAddress }, name }: { entry: AuditLogEntry; name: ReactNode }) {
  const { id, hint } = actor;
  return (
    <div className="min-w-0">
      <span className="wrap-anywhere">{name}</span>
      {hint !== undefined ? (
        <span className="block text-muted text-xs">
          API key <code className="font-mono">{hint}</code>
        </span>
      ) : id !== null && actor.email === undefined ? (
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

/** A click filters by the actor. */
function FilteringName({ entry: { actor } }: { entry: AuditLogEntry }) {
  const { filters, setFilters } = useUrlFilters(AUDIT_FILTERS);
  const { id } = actor;
  const name = actorLabel(actor);
  if (id === null || filters.actorId === id) return name;
  return (
    <button
      type="button"
      title="Show only this actor’s actions"
      onClick={() => setFilters({ actorId: id })}
      className="wrap-anywhere rounded-sm text-left underline-offset-4 hover:underline"
    >
      {name}
    </button>
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
const PAGES: Record<string, string> = {
  customer: 'customers',
  endpoint: 'endpoints',
  source: 'sources',
  tunnel: 'tunnels',
};

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
