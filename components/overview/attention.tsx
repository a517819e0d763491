'use client';

import { Ban, CircleCheck, Clock, type LucideIcon, ShieldAlert, TriangleAlert, VolumeX } from 'lucide-react';
import type { ReactNode } from 'react';
import { splitUrl } from '@/components/endpoints/target-url';
import { useProjectId } from '@/components/projects/use-projects';
import { formatCount } from '@/components/ui/format-figures';
import { Link } from '@/components/ui/link';
import { RelativeTime } from '@/components/ui/relative-time';
import type { Attention, AttentionReason, ProjectStats } from '@/lib/stats/schema';
import { deliveriesPath, incomingPath } from './use-overview';

/** A line of the list: what is wrong, and where that can be seen. */
interface Item {
  key: string;
  icon: LucideIcon;
  isSerious: boolean;
  text: ReactNode;
  since?: string | null;
  href: string;
}

/** What needs attention now, the worst first; one quiet line when nothing does. */
export function AttentionList({ stats }: { stats: ProjectStats }) {
  const projectId = useProjectId();
  const items = itemsOf(stats, projectId, Date.now());
  if (items.length === 0) {
    return (
      <p className="flex items-center gap-2 text-muted text-sm">
        <CircleCheck aria-hidden="true" className="size-4 text-success-text" /> All endpoints are healthy.
      </p>
    );
  }
  return (
    <section aria-labelledby="attention" className="overflow-hidden rounded-lg border bg-surface shadow-raised">
      <h2 id="attention" className="border-b px-4 py-2.5 font-semibold text-sm">
        Needs attention
      </h2>
      <ul className="divide-y">
        {items.map(({ key, icon: Icon, isSerious, text, since = null, href }) => (
          <li key={key} className="relative flex items-start gap-2.5 px-4 py-2.5 text-sm hover:bg-sunken/60">
            <Icon
              aria-hidden="true"
              className={`mt-0.5 size-4 shrink-0 ${isSerious ? 'text-danger-text' : 'text-warning-text'}`}
            />
            <span className="flex min-w-0 flex-1 flex-wrap items-baseline justify-between gap-x-4 gap-y-0.5">
              <Link
                href={href}
                prefetch={false}
                className="wrap-anywhere min-w-0 rounded-sm font-medium after:absolute after:inset-0 hover:underline"
              >
                {text}
              </Link>
              {since === null ? null : (
                <span className="text-muted text-xs">
                  {key === 'ENDPOINT_SILENT' ? 'last delivery' : 'since'} <RelativeTime at={since} inRow />
                </span>
              )}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

const REASONS: Record<AttentionReason, { icon: LucideIcon; isSerious: boolean; one: string; many: string }> = {
  ENDPOINT_DISABLED: {
    icon: Ban,
    isSerious: true,
    one: 'was disabled automatically',
    many: 'endpoints were disabled automatically',
  },
  ENDPOINT_FAILING: { icon: TriangleAlert, isSerious: false, one: 'is failing', many: 'endpoints are failing' },
  DESTINATION_DISABLED: {
    icon: Ban,
    isSerious: true,
    one: 'was disabled automatically',
    many: 'destinations were disabled automatically',
  },
  DESTINATION_FAILING: { icon: TriangleAlert, isSerious: false, one: 'is failing', many: 'destinations are failing' },
  SOURCE_WITHOUT_SECRET: {
    icon: ShieldAlert,
    isSerious: false,
    one: 'refuses all requests: its signing secret is missing',
    many: 'sources refuse all requests: their signing secrets are missing',
  },
  ENDPOINT_SILENT: {
    icon: VolumeX,
    isSerious: false,
    one: 'has received nothing for a day',
    many: 'endpoints have received nothing for a day',
  },
};

/** A delivery that is due for longer waits for a worker. */
const OVERDUE_MS = 60_000;

function itemsOf(stats: ProjectStats, projectId: string, nowMs: number): Item[] {
  const project = `/projects/${projectId}`;
  const items = stats.attention.map((each): Item => {
    const { reason, count, since } = each;
    const { one, many, ...look } = REASONS[reason];
    // A description is written by a customer, and may turn the direction of the text that follows it.
    const text =
      count === 1 ? (
        <>
          <bdi>{nameOf(each)}</bdi> {one}
        </>
      ) : (
        `${formatCount(count)} ${many}`
      );
    return { key: reason, ...look, text, since, href: `${project}/${pathOf(each)}` };
  });
  const { oldestDueAt, waiting, waitingIsAtLeast } = stats.backlog;
  if (oldestDueAt !== null && nowMs - Date.parse(oldestDueAt) > OVERDUE_MS) {
    const most = `${formatCount(waiting)}${waitingIsAtLeast ? ' or more' : ''}`;
    items.push({
      key: 'backlog',
      icon: Clock,
      isSerious: true,
      text: `Deliveries are late: ${most} ${waiting === 1 ? 'waits' : 'wait'}`,
      since: oldestDueAt,
      href: deliveriesPath(projectId, null, { status: 'PENDING' }),
    });
  }
  const { rejected } = stats.totals.incoming;
  if (rejected > 0) {
    items.push({
      key: 'rejected',
      icon: ShieldAlert,
      isSerious: false,
      text: `${formatCount(rejected)} ${rejected === 1 ? 'request' : 'requests'} with an invalid signature ${rejected === 1 ? 'was' : 'were'} refused in this range`,
      href: incomingPath(projectId, stats, 'false'),
    });
  }
  // The sort is stable: reasons of the same weight keep their order.
  return items.sort((a, b) => Number(b.isSerious) - Number(a.isSerious));
}

/** The name of a source, or the description of a target; without one, its host and path. */
export function nameOf({ reason, name, description }: Pick<Attention, 'reason' | 'name' | 'description'>): string {
  if (reason === 'SOURCE_WITHOUT_SECRET') return `“${name}”`;
  if (description !== null) return `“${description}”`;
  const { origin, path } = splitUrl(name);
  return origin.replace(/^[a-z]+:\/\//i, '') + (path === '/' ? '' : path);
}

/** Returns the page below the project that shows the only one, or the list of all. */
export function pathOf({ reason, count, endpointId, sourceId }: Attention): string {
  if (count === 1) {
    return endpointId === null ? `sources/${sourceId}` : `endpoints/${endpointId}`;
  }
  if (reason === 'ENDPOINT_DISABLED') return 'endpoints?state=DISABLED';
  if (reason === 'ENDPOINT_FAILING') return 'endpoints?state=FAILING&sort=success';
  return reason === 'ENDPOINT_SILENT' ? 'endpoints?sort=lastDeliveryAt' : 'sources';
}
