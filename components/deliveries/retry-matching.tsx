'use client';

import { RotateCw } from 'lucide-react';
import { useState } from 'react';
import { ConfirmRetry } from '@/components/bulk-retries/confirm-retry';
import { describeMatching } from '@/components/bulk-retries/describe-bulk-retry';
import { retryFilterReason } from '@/components/bulk-retries/retry-filter-reason';
import type { NewBulkRetry } from '@/components/bulk-retries/use-bulk-retries';
import { useDisabledReason } from '@/components/projects/use-disabled-reason';
import { Button } from '@/components/ui/button';
import type { DeliveryCount } from '@/lib/delivery/schema';

/** Retries every delivery that matches the filters, after a confirmation. */
export function RetryMatching({
  projectId,
  query,
  count,
  start,
}: {
  projectId: string;
  query: Record<string, string | undefined>;
  /** How many match; undefined until it is known. */
  count: DeliveryCount | undefined;
  start: (body: NewBulkRetry) => Promise<unknown>;
}) {
  const roleReason = useDisabledReason(projectId, 'delivery.retry');
  const [asking, setAsking] = useState(false);
  const reason = roleReason ?? retryFilterReason(query.status, count);
  return (
    <>
      <Button
        disabledReason={reason}
        loading={reason === undefined && count === undefined}
        onClick={() => setAsking(true)}
      >
        <RotateCw aria-hidden="true" />
        {reason === undefined ? `Retry ${describeMatching(count)}` : 'Retry matching'}
      </Button>
      <ConfirmRetry
        open={asking}
        onOpenChange={setAsking}
        count={count?.count ?? 0}
        what="matching"
        onConfirm={() => start(query)}
      />
    </>
  );
}
