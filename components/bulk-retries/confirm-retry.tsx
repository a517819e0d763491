import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { describeDeliveries } from './describe-bulk-retry';

/** Asks before deliveries are retried, and says what will happen. */
export function ConfirmRetry({
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
