import { formatDuration } from '@/components/ui/format-time';
import type { ProjectStats } from '@/lib/stats/schema';
import { FigureTile } from './figure-tile';
import { changeOf, formatCompact, formatCount, formatRate, formatShare, pointsBetween } from './format-figures';
import { deliveriesPath, eventsPath } from './links';

/** The figures of the range: how much, how well, how fast. */
export function HeadlineFigures({ projectId, stats }: { projectId: string; stats: ProjectStats }) {
  const { totals, previousTotals: before } = stats;
  const sharesOf = ({ attempts: { succeeded, failed } }: typeof totals) => ({
    part: succeeded,
    total: succeeded + failed,
  });
  const shares = sharesOf(totals);
  const elapsedSeconds = (Math.min(Date.now(), Date.parse(stats.to)) - Date.parse(stats.from)) / 1000;
  const succeeded = deliveriesPath(projectId, stats, { status: 'SUCCEEDED' });
  return (
    <dl className="grid grid-cols-2 gap-px overflow-hidden rounded-lg border bg-border shadow-raised lg:grid-cols-4">
      <FigureTile
        label="Events"
        value={formatCompact(totals.events)}
        change={changeOf(totals.events, before?.events)}
        note={totals.events === 0 ? 'None accepted' : formatRate(totals.events, elapsedSeconds)}
        href={eventsPath(projectId, stats)}
      />
      <FigureTile
        label="Success rate"
        value={formatShare(shares.part, shares.total)}
        change={pointsBetween(shares, before === null ? null : sharesOf(before))}
        goodWhen="up"
        note={shares.total === 0 ? 'No attempts' : `of ${formatCount(shares.total)} attempts`}
        href={deliveriesPath(projectId, stats, { status: 'FAILED' })}
      />
      <FigureTile
        label="Delivery latency, p95"
        value={totals.deliveryLatency === null ? null : formatDuration(totals.deliveryLatency.p95Ms)}
        change={changeOf(totals.deliveryLatency?.p95Ms ?? null, before?.deliveryLatency?.p95Ms)}
        goodWhen="down"
        note={
          totals.deliveryLatency === null
            ? 'From 202 to success'
            : `From 202 to success · p50 ${formatDuration(totals.deliveryLatency.p50Ms)}`
        }
        href={succeeded}
      />
      <FigureTile
        label="Attempt duration, p95"
        value={totals.attemptDuration === null ? null : formatDuration(totals.attemptDuration.p95Ms)}
        change={changeOf(totals.attemptDuration?.p95Ms ?? null, before?.attemptDuration?.p95Ms)}
        goodWhen="down"
        note={
          totals.attemptDuration === null
            ? 'Time per request'
            : `Time per request · p50 ${formatDuration(totals.attemptDuration.p50Ms)}`
        }
        href={deliveriesPath(projectId, stats)}
      />
    </dl>
  );
}
