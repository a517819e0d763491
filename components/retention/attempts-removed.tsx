'use client';

import Link from 'next/link';
import { describeAttemptRules } from './retention-labels';
import { useRetentionOfProject } from './use-retention';

/** How many attempts of a delivery retention has taken, and by which rules. */
export function AttemptsRemoved({ projectId, count }: { projectId: string; count: number }) {
  const { retention } = useRetentionOfProject(projectId);
  const rules = retention === undefined ? null : describeAttemptRules(retention.classes);
  return (
    <p className="px-4 py-2.5 text-muted text-sm">
      {count === 1 ? 'One attempt has' : `${count.toLocaleString('en-GB')} attempts have`} been removed by retention;
      what came of the delivery is kept. {rules}{' '}
      <Link href="/retention" prefetch={false} className="font-medium text-accent-text hover:underline">
        See what is kept
      </Link>
    </p>
  );
}
