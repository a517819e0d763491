import type { ReactNode } from 'react';
import { cn } from '@/components/ui/cn';
import { CopyableId } from '@/components/ui/copyable-id';
import type { AuditLogEntry } from '@/lib/audit/schema';
import { actionLabel } from './action-labels';
import { type DetailLine, detailLines } from './detail-lines';

/** The action of an entry and its details. `showValue` shows the value of a detail. */
export function ActionSummary({
  entry,
  showValue = showIdOrText,
  className,
}: {
  entry: AuditLogEntry;
  showValue?: (line: DetailLine) => ReactNode;
  className?: string;
}) {
  const lines = detailLines(entry.details);
  return (
    <div className={cn('min-w-0 py-1', className)}>
      <span className="font-medium" title={entry.action}>
        {actionLabel(entry.action)}
      </span>
      {lines.length === 0 ? null : (
        <dl className="mt-0.5 grid gap-0.5 text-muted text-xs">
          {lines.map((line) => (
            // As high with an id as with a name, which may load later.
            <div key={line.label} className="flex min-h-6 min-w-0 flex-wrap items-center gap-x-1.5">
              <dt>{line.label}</dt>
              <dd className="wrap-anywhere min-w-0 text-text">{showValue(line)}</dd>
            </div>
          ))}
        </dl>
      )}
    </div>
  );
}

/** Shows an id to copy, or a text. */
export function showIdOrText({ label, value, isId }: DetailLine): ReactNode {
  return isId ? <CopyableId id={value} short label={`Copy ID: ${label.toLowerCase()}`} /> : value;
}
