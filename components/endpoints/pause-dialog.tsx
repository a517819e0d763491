'use client';

import { DialogForm, TextField } from '@/components/form/form-fields';
import { useApiForm } from '@/components/form/use-api-form';
import { Dialog } from '@/components/ui/dialog';

interface PauseDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** What is paused. */
  noun: 'endpoint' | 'destination';
  pause: (change: { enabled: false; pauseReason: string | null }) => Promise<unknown>;
}

/** What becomes of the events that arrive meanwhile. */
const RESUMED = {
  endpoint: 'When you resume it, you can send what it missed.',
  destination: 'When you resume it, you can replay them.',
};

/** Pauses an endpoint or a destination, and asks for the reason. */
export function PauseDialog({ open, onOpenChange, noun, pause }: PauseDialogProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={`Pause this ${noun}?`}
      description={`Events that arrive while it is paused are not delivered to it. ${RESUMED[noun]} Deliveries that wait for a retry fail when they come due; you can retry those later. For a short outage of the ${noun === 'endpoint' ? 'receiver' : 'target'}, don’t pause: deliveries wait and are retried.`}
    >
      <PauseForm noun={noun} pause={pause} onOpenChange={onOpenChange} />
    </Dialog>
  );
}

function PauseForm({ noun, pause, onOpenChange }: Omit<PauseDialogProps, 'open'>) {
  const form = useApiForm({
    defaultValues: { pauseReason: '' },
    send: async ({ pauseReason }) => {
      await pause({ enabled: false, pauseReason: pauseReason.trim() || null });
      onOpenChange(false);
    },
  });
  return (
    <DialogForm form={form} label={`Pause ${noun}`} failure={`We couldn’t pause the ${noun}`}>
      <TextField
        form={form}
        name="pauseReason"
        label="Reason"
        optional
        hint="Visible to everyone in the project."
        maxLength={200}
        placeholder="Customer left in June"
      />
    </DialogForm>
  );
}
