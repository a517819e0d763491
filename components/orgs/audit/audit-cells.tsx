'use client';

import { useUrlFilters } from '@/components/data-table/use-url-filters';
import { useProject } from '@/components/projects/use-projects';
import { cn } from '@/components/ui/cn';
import { CopyableId } from '@/components/ui/copyable-id';
import { Link } from '@/components/ui/link';
import type { AuditLogEntry } from '@/lib/audit/schema';
import { actorLabel, targetLabel } from './action-labels';
import { ActionSummary, showIdOrText } from './action-summary';
import { AUDIT_FILTERS } from './audit-filters';
import type { DetailLine } from './detail-lines';
import { targetPath } from './target-path';

const URL_START = /^https?:/;

/** The action and its details. */
export function ActionCell({ entry }: { entry: AuditLogEntry }) {
  return <ActionSummary entry={entry} showValue={(line) => <DetailValue line={line} />} />;
}

function DetailValue({ line }: { line: DetailLine }) {
  const { project } = useProject(line.label === 'Project' ? line.value : undefined);
  return project ? project.name : showIdOrText(line);
}

/** The actor and their IP address. A click on the name filters by the actor. */
export function ActorCell({ entry: { actor, ipAddress } }: { entry: AuditLogEntry }) {
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
export function TargetCell({ entry }: { entry: AuditLogEntry }) {
  const { target } = entry;
  const label = targetLabel(target.type);
  return (
    <div className="min-w-0 max-sm:flex max-sm:min-h-6 max-sm:flex-wrap max-sm:items-center max-sm:gap-x-1.5">
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
  const className = cn('wrap-anywhere inline-block py-0.75 text-xs', URL_START.test(name) && 'font-mono');
  if (path === null) return <span className={cn(className, 'text-muted')}>{name}</span>;
  return (
    <Link href={path} prefetch={false} className={cn(className, 'text-accent-text underline-offset-4 hover:underline')}>
      {name}
    </Link>
  );
}
