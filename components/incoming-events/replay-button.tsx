'use client';

import { History } from 'lucide-react';
import { useState } from 'react';
import { useDestinations } from '@/components/destinations/use-destinations';
import { useDisabledReason } from '@/components/projects/use-disabled-reason';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { toast } from '@/components/ui/toast';
import type { IncomingEvent, Source } from '@/lib/incoming/schema';
import { replayDisabledReason } from './replay-disabled-reason';
import { ReplayTargetForm } from './replay-target-form';
import { replayIncomingEvent } from './use-replays';

/** Forwards an incoming event again. */
export function ReplayButton({
  projectId,
  event,
  source,
  isSourceKnown,
  onReplayed,
}: {
  projectId: string;
  event: Pick<IncomingEvent, 'id' | 'verified'>;
  /** Undefined while loading, and after it is deleted. */
  source: Source | undefined;
  /** Whether the sources are loaded. */
  isSourceKnown: boolean;
  onReplayed: () => void;
}) {
  const roleReason = useDisabledReason(projectId, 'incoming_event.replay');
  const { destinations } = useDestinations(projectId, source?.id);
  const [asking, setAsking] = useState(false);
  const unverified = event.verified === false ? 'Unverified events are never forwarded.' : undefined;
  const deleted = isSourceKnown && source === undefined ? 'The source and its destinations were deleted.' : undefined;
  const replay = async (destinationId: string | undefined) => {
    const { deliveryIds } = await replayIncomingEvent(projectId, event.id, destinationId);
    setAsking(false);
    toast.success(
      deliveryIds.length === 1 ? 'Replaying the event.' : `Replaying the event to ${deliveryIds.length} destinations.`,
    );
    onReplayed();
  };
  return (
    <>
      <Button
        variant="primary"
        disabledReason={roleReason ?? unverified ?? deleted ?? replayDisabledReason(destinations)}
        onClick={() => setAsking(true)}
      >
        <History aria-hidden="true" />
        Replay
      </Button>
      <Dialog open={asking} onOpenChange={setAsking} title="Replay this event?">
        <ReplayTargetForm
          text="We forward the event again with its original body and headers. Destinations that already received it get it again with the same ID."
          destinations={destinations ?? []}
          submitLabel="Replay event"
          send={replay}
        />
      </Dialog>
    </>
  );
}
