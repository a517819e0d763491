import { Prose } from '@/components/docs/prose';
import { Link } from '@/components/ui/link';
import { Expandable } from './expandable';
import type { ProblemGroup } from './reference-types';
import { StatusCode } from './status-code';

/** The problems that a call may respond with, by status. Each code links to its explanation. */
export function ProblemList({ groups }: { groups: readonly ProblemGroup[] }) {
  const count = groups.reduce((sum, { problems }) => sum + problems.length, 0);
  return (
    <div className="mt-6">
      <h3 className="mb-3 border-b pb-1.5 font-semibold text-sm">Errors</h3>
      <p className="flex flex-wrap gap-x-3 gap-y-1">
        {groups.map(({ status }) => (
          <StatusCode key={status} status={status} />
        ))}
      </p>
      <Expandable closed={`Show ${count} codes`}>
        <dl className="mt-2 grid gap-2 rounded-lg border bg-surface p-3.5 text-sm">
          {groups.flatMap(({ status, problems }) =>
            problems.map(({ code, meaning }) => (
              <div key={code} className="grid gap-x-3 sm:grid-cols-[13rem_minmax(0,1fr)]">
                <dt className="flex items-baseline gap-2">
                  <StatusCode status={status} />
                  <Link
                    href={`/docs/errors#${code}`}
                    prefetch={false}
                    className="wrap-anywhere font-mono text-xs hover:underline"
                  >
                    {code}
                  </Link>
                </dt>
                <dd className="text-muted text-sm">
                  <Prose>{meaning}</Prose>
                </dd>
              </div>
            )),
          )}
        </dl>
      </Expandable>
    </div>
  );
}
