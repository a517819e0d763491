'use client';

import { Pause, Play } from 'lucide-react';
import { useState } from 'react';
import { DialogSubmit } from '@/components/form/dialog-submit';
import { useApiForm } from '@/components/form/use-api-form';
import { useAsyncAction } from '@/components/form/use-async-action';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { Field } from '@/components/ui/field';
import { InlineError } from '@/components/ui/inline-error';
import { Input } from '@/components/ui/input';
import type { Endpoint } from '@/lib/delivery/schema';
import type { EndpointChange } from './use-endpoints';

interface PauseProps {
  endpoint: Endpoint;
  update: (change: EndpointChange) => Promise<unknown>;
  disabledReason: string | undefined;
}

/** Pauses an endpoint with a reason, or resumes it. */
export function PauseButton({ endpoint, update, disabledReason }: PauseProps) {
  const [asking, setAsking] = useState(false);
  const resume = useAsyncAction();
  if (!endpoint.enabled) {
    return (
      <>
        <Button
          size="sm"
          loading={resume.pending}
          disabledReason={disabledReason}
          onClick={() => void resume.run(() => update({ enabled: true }))}
        >
          <Play aria-hidden="true" />
          {endpoint.disabledReason === null ? 'Resume' : 'Enable'}
        </Button>
        <InlineError what="We couldn’t enable the endpoint" error={resume.error} />
      </>
    );
  }
  return (
    <>
      <Button size="sm" disabledReason={disabledReason} onClick={() => setAsking(true)}>
        <Pause aria-hidden="true" />
        Pause
      </Button>
      <Dialog
        open={asking}
        onOpenChange={setAsking}
        title="Pause this endpoint?"
        description="It receives no deliveries until you resume it. Events sent in the meantime aren’t delivered to it, and retries that come due fail. You can retry those later."
      >
        <PauseForm update={update} onPaused={() => setAsking(false)} />
      </Dialog>
    </>
  );
}

function PauseForm({ update, onPaused }: { update: PauseProps['update']; onPaused: () => void }) {
  const form = useApiForm({
    defaultValues: { pauseReason: '' },
    send: async ({ pauseReason }) => {
      await update({ enabled: false, pauseReason: pauseReason.trim() || null });
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
        label="Pause endpoint"
        failure="We couldn’t pause the endpoint"
        error={form.error}
        pending={form.pending}
      />
    </form>
  );
}
