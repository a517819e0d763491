'use client';

import { RotateCw } from 'lucide-react';
import { useState } from 'react';
import { describeDeliveries, describeMatching, retryFilterReason } from '@/components/bulk-retries/describe-bulk-retry';
import type { NewBulkRetry } from '@/components/bulk-retries/use-bulk-retries';
import type { RowSelection } from '@/components/data-table/use-row-selection';
import { useDisabledReason } from '@/components/projects/use-projects';
import { Button } from '@/components/ui/button';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { formatCount } from '@/components/ui/format-figures';
import type { DeliveryCount } from '@/lib/delivery/schema';

/** Retries every delivery that matches the filters, after a confirmation. */
export function RetryMatching({
  query,
  count,
  start,
}: {
  query: Record<string, string | undefined>;
  /** How many match; undefined until it is known. */
  count: DeliveryCount | undefined;
  start: (body: NewBulkRetry) => Promise<unknown>;
}) {
  const roleReason = useDisabledReason('delivery.retry');
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

/** The API takes as many ids at once. */
const MAX_SELECTED = 1000;

/** What can be done with the selected deliveries. Renders nothing without a selection. */
export function SelectionBar({
  selection,
  query,
  count,
  start,
}: {
  selection: RowSelection;
  query: Record<string, string | undefined>;
  /** How many deliveries match the filters; undefined until it is known. */
  count: DeliveryCount | undefined;
  start: (body: NewBulkRetry) => Promise<unknown>;
}) {
  const [isMatching, setIsMatching] = useState(false);
  const [asking, setAsking] = useState(false);
  const { selected, isAll, toggleAll, clear } = selection;
  if (isMatching && !isAll) setIsMatching(false);
  const coversMatching = isMatching && isAll && count !== undefined;
  const number = coversMatching ? count.count : selected.size;
  const what = coversMatching ? 'matching' : 'selected';
  const offersMatching = isAll && !coversMatching && retryFilterReason(query.status, count) === undefined;
  const tooMany =
    selected.size > MAX_SELECTED ? `Select at most ${formatCount(MAX_SELECTED)}, or all that match.` : undefined;
  const retry = async () => {
    await start(coversMatching ? query : { deliveryIds: [...selected] });
    clear();
  };
  return (
    <div className="pointer-events-none sticky bottom-3 z-20 mt-3 empty:hidden">
      {selected.size === 0 ? null : (
        <section
          aria-label="Selection"
          className="pointer-events-auto mx-auto flex w-fit max-w-full animate-enter flex-wrap items-center justify-center gap-2 rounded-lg border bg-surface px-3 py-2 shadow-floating"
        >
          <span role="status" className="px-1 text-sm tabular-nums">
            {formatCount(number)} {what}
          </span>
          {isAll ? null : (
            // Narrow screens have no head of the table, whose checkbox does this.
            <Button size="sm" variant="ghost" className="sm:hidden" onClick={toggleAll}>
              Select all loaded
            </Button>
          )}
          {offersMatching && count !== undefined && count.count > selected.size ? (
            <Button size="sm" variant="ghost" onClick={() => setIsMatching(true)}>
              Select all {describeMatching(count)}
            </Button>
          ) : null}
          <Button
            size="sm"
            variant="primary"
            disabledReason={coversMatching ? undefined : tooMany}
            onClick={() => setAsking(true)}
          >
            <RotateCw aria-hidden="true" />
            Retry {formatCount(number)} {what}
          </Button>
          <Button
            size="sm"
            variant="ghost"
            onClick={() => {
              setIsMatching(false);
              clear();
            }}
          >
            Clear selection
          </Button>
        </section>
      )}
      <ConfirmRetry open={asking} onOpenChange={setAsking} count={number} what={what} onConfirm={retry} />
    </div>
  );
}

function ConfirmRetry({
  open,
  onOpenChange,
  count,
  what,
  onConfirm,
}: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  count: number;
  /** Which they are: "selected", "matching". */
  what: string;
  onConfirm: () => Promise<unknown>;
}) {
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onOpenChange}
      title={`Retry ${describeDeliveries(count)}?`}
      description={
        <>
          <p>
            Every {what} delivery is sent again with the same ID, oldest first, at most 200 per second. A receiver that
            already got one gets it again.
          </p>
          <p className="mt-2">
            Deliveries that are due within 30 seconds, and those to paused, disabled or deleted endpoints, are skipped.
            You can follow the progress and cancel.
          </p>
        </>
      }
      confirmLabel="Start retry"
      cancelLabel="Go back"
      tone="primary"
      onConfirm={onConfirm}
    />
  );
}
