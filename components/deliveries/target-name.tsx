import type { Delivery } from '@/lib/delivery/schema';

/** The URL of the endpoint or destination of a delivery. */
export function TargetName({ delivery: { targetUrl } }: { delivery: Pick<Delivery, 'targetUrl'> }) {
  return (
    <span className="block truncate font-mono text-muted text-xs" title={targetUrl}>
      {targetUrl}
    </span>
  );
}
