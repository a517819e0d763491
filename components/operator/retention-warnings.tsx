import { DATA_CLASS_LABELS } from '@/components/retention/retention-labels';
import { Callout } from '@/components/ui/callout';
import type { RetentionState } from '@/lib/admin/schema';
import { formatCount } from './format-size';

/** What the operator should look at first. Nothing while all is well. */
export function RetentionWarnings({ state }: { state: RetentionState }) {
  const growing = state.classes.filter(({ warning }) => warning === 'growing');
  const overdue = state.classes.filter(({ warning }) => warning === 'overdue');
  const strayed = state.tables.filter(({ defaultRows }) => defaultRows > 0);
  const namesOf = (classes: typeof growing) => classes.map(({ data }) => DATA_CLASS_LABELS[data].label).join(', ');
  return (
    <>
      {growing.length === 0 ? null : (
        <Callout tone="danger">
          <span className="font-medium">{namesOf(growing)}:</span> the table grows, nothing has been removed for a day,
          and its oldest row should have left. Is a retention process running?
        </Callout>
      )}
      {strayed.length === 0 ? null : (
        <Callout tone="danger">
          <span className="font-medium">Default partitions are not empty:</span>{' '}
          {strayed.map(({ table, defaultRows }) => `${formatCount(defaultRows)} in ${table}`).join(', ')}. No partition
          was there for the day of these rows. {state.partitionMaintenanceEnabled ? <SortedBy /> : NOT_SORTED}
        </Callout>
      )}
      {overdue.length === 0 ? null : (
        <Callout tone="warning">
          <span className="font-medium">{namesOf(overdue)}:</span> the oldest row should have left more than a day ago.
          The last runs below say why. A row stays only while something of it is still being retried.
        </Callout>
      )}
    </>
  );
}

const NOT_SORTED = 'PARTITION_MAINTENANCE_ENABLED is false: whoever makes the partitions here has to move them.';

function SortedBy() {
  return (
    <>
      The job <code className="font-mono text-xs">partitions</code> moves them to where they belong, and removes those
      that have expired.
    </>
  );
}
