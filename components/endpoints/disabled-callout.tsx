import { Callout } from '@/components/ui/callout';
import { RelativeTime } from '@/components/ui/relative-time';
import type { Endpoint } from '@/lib/delivery/schema';

/** Says since when and why an endpoint gets no deliveries. Renders nothing while it is enabled. */
export function DisabledCallout({ endpoint }: { endpoint: Endpoint }) {
  const { enabled, disabledReason, disabledAt, pauseReason } = endpoint;
  if (enabled) return null;
  const since = disabledAt === null ? null : <RelativeTime at={disabledAt} />;
  if (disabledReason === null) {
    return (
      <Callout tone="warning">
        <p className="font-medium">Paused{pauseReason === null ? '' : `: ${pauseReason}`}</p>
        <p>
          {since === null ? null : <>It was paused {since}. </>}
          It receives no deliveries until you resume it.
        </p>
      </Callout>
    );
  }
  return (
    <Callout tone="danger">
      <p className="font-medium">Disabled automatically: {disabledReason}</p>
      <p>
        {since === null ? null : <>It was disabled {since}. </>}
        Enable it after you fix the receiver.
      </p>
    </Callout>
  );
}
