'use client';

import { Link } from '@/components/ui/link';
import { describeAttemptRules } from './retention-labels';
import { useRetentionOfProject } from './use-retention';

/** Says how many attempts of a delivery retention has deleted, and by which rules. */
export function AttemptsRemoved({ projectId, count }: { projectId: string; count: number }) {
  const { retention } = useRetentionOfProject(projectId);
  const rules = retention === undefined ? null : describeAttemptRules(retention.classes);
  return (
    <p className="px-4 py-2.5 text-muted text-sm">
      Retention deleted {count === 1 ? '1 attempt' : `${count.toLocaleString('en-GB')} attempts`}. The delivery’s result
      is kept. {rules}{' '}
      <Link href="/retention" prefetch={false} className="font-medium text-accent-text hover:underline">
        View retention
      </Link>
    </p>
  );
}
