'use client';

import { RotateCw } from 'lucide-react';
import { useState } from 'react';
import { describeError } from '@/components/auth-session/api-error';
import { useDisabledReason } from '@/components/projects/use-disabled-reason';
import { Button } from '@/components/ui/button';
import { toast } from '@/components/ui/toast';
import type { Delivery } from '@/lib/delivery/schema';
import { retryDelivery } from './use-deliveries';

/** Retries a delivery now, also one that has succeeded. */
export function RetryButton({
  projectId,
  delivery,
  onRetried,
  size,
}: {
  projectId: string;
  delivery: Delivery;
  onRetried: () => void;
  size?: 'sm';
}) {
  const disabledReason = useDisabledReason(projectId, 'delivery.retry');
  const [pending, setPending] = useState(false);
  const retry = async () => {
    setPending(true);
    try {
      await retryDelivery(projectId, delivery.id);
      onRetried();
    } catch (error) {
      toast.error(`We couldn’t send the delivery again. ${describeError(error).detail}`);
    } finally {
      setPending(false);
    }
  };
  return (
    <Button size={size} loading={pending} disabledReason={disabledReason} onClick={() => void retry()}>
      <RotateCw aria-hidden="true" />
      {delivery.status === 'SUCCEEDED' ? 'Resend' : 'Retry now'}
    </Button>
  );
}
