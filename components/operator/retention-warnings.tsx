import { DATA_CLASS_LABELS } from '@/components/retention/retention-labels';
import { Callout } from '@/components/ui/callout';
import type { RetentionState } from '@/lib/admin/schema';
import { formatCount } from './format-size';

/** Problems that need the operator. Renders nothing without one. */
export function RetentionWarnings({ state }: { state: RetentionState }) {
  const growing = state.classes.filter(({ warning }) => warning === 'growing');
  const overdue = state.classes.filter(({ warning }) => warning === 'overdue');
  const nonEmpty = state.tables.filter(({ defaultRows }) => defaultRows > 0);
  const namesOf = (classes: typeof growing) => classes.map(({ data }) => DATA_CLASS_LABELS[data].label).join(', ');
  return (
    <>
      {growing.length === 0 ? null : (
        <Callout tone="danger">
          <span className="font-medium">{namesOf(growing)}:</span> the table keeps growing, nothing has been deleted for
          a day, and its oldest row is overdue. Check that a retention process is running.
        </Callout>
      )}
      {nonEmpty.length === 0 ? null : (
        <Callout tone="danger">
          <span className="font-medium">Default partitions are not empty:</span>{' '}
          {nonEmpty.map(({ table, defaultRows }) => `${formatCount(defaultRows)} in ${table}`).join(', ')}. These rows
          had no partition for their day. {state.partitionMaintenanceEnabled ? <MovedByJob /> : MAINTENANCE_OFF}
        </Callout>
      )}
      {overdue.length === 0 ? null : (
        <Callout tone="warning">
          <span className="font-medium">{namesOf(overdue)}:</span> the oldest row expired more than a day ago. Check the
          last runs below. A row is kept longer only while its delivery is being retried.
        </Callout>
      )}
    </>
  );
}

const MAINTENANCE_OFF = 'PARTITION_MAINTENANCE_ENABLED is false, so you have to move them yourself.';

function MovedByJob() {
  return (
    <>
      The job <code className="font-mono text-xs">partitions</code> moves them to their partitions and deletes expired
      rows.
    </>
  );
}
