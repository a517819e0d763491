import { Callout } from '@/components/ui/callout';
import { Link } from '@/components/ui/link';
import type { IncomingEventDetail, Source } from '@/lib/incoming/schema';
import { describeUnverified } from './unverified-reason';

/** Says why an incoming event was not verified, and what to do about it. */
export function UnverifiedCallout({
  projectId,
  event,
  source,
}: {
  projectId: string;
  event: IncomingEventDetail;
  /** Undefined after it is deleted. */
  source: Source | undefined;
}) {
  return (
    <Callout tone="danger">
      <p className="font-medium">{describeUnverified(event, source)}</p>
      <p>
        We responded with 401 and didn’t forward the event.{' '}
        {source === undefined ? null : (
          <>
            Check that the provider’s secret matches{' '}
            <Link
              href={`/projects/${projectId}/sources/${source.id}`}
              className="rounded-sm font-medium text-accent-text underline underline-offset-2"
            >
              the source’s secret
            </Link>
            .
          </>
        )}
      </p>
    </Callout>
  );
}
