'use client';

import { DialogSubmit } from '@/components/form/dialog-submit';
import { useApiForm } from '@/components/form/use-api-form';
import { Dialog } from '@/components/ui/dialog';
import { Field } from '@/components/ui/field';
import { Input } from '@/components/ui/input';

interface PauseDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** What is paused. */
  noun: 'endpoint' | 'destination';
  pause: (change: { enabled: false; pauseReason: string | null }) => Promise<unknown>;
}

/** Pauses an endpoint or a destination, and asks for the reason. */
export function PauseDialog({ open, onOpenChange, noun, pause }: PauseDialogProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={`Pause this ${noun}?`}
      description="It receives no deliveries until you resume it. Events sent in the meantime aren’t delivered to it, and retries that come due fail. You can retry those later."
    >
      <PauseForm noun={noun} pause={pause} onPaused={() => onOpenChange(false)} />
    </Dialog>
  );
}

function PauseForm({ noun, pause, onPaused }: Pick<PauseDialogProps, 'noun' | 'pause'> & { onPaused: () => void }) {
  const form = useApiForm({
    defaultValues: { pauseReason: '' },
    send: async ({ pauseReason }) => {
      await pause({ enabled: false, pauseReason: pauseReason.trim() || null });
      onPaused();
    },
  });
  return (
    <form noValidate onSubmit={form.submit} className="grid gap-4">
      <Field label="Reason" optional error={form.fieldError('pauseReason')} hint="Visible to everyone in the project.">
        {(control) => (
          <Input
            {...control}
            {...form.register('pauseReason')}
            maxLength={200}
            autoComplete="off"
            placeholder="Maintenance until noon"
          />
        )}
      </Field>
      <DialogSubmit
        label={`Pause ${noun}`}
        failure={`We couldn’t pause the ${noun}`}
        error={form.error}
        pending={form.pending}
      />
    </form>
  );
}
