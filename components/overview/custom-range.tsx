'use client';

import { cloneElement, type FormEvent, type ReactElement, useState } from 'react';
import { timeZoneName } from '@/components/charts/format-bucket';
import { Button } from '@/components/ui/button';
import { Dialog, DialogActions } from '@/components/ui/dialog';
import { Field } from '@/components/ui/field';
import { Input } from '@/components/ui/input';
import { fromTimeInput, toTimeInput } from '@/components/ui/time-zone';
import { MAX_SPAN_MS } from '@/lib/stats/range-policy';
import type { ChosenRange } from './use-overview';

const DAY_MS = 86_400_000;

/** Opens a dialog for a range of two times, in the reader's time zone. */
export function CustomRange({
  chosen,
  onChoose,
  children,
}: {
  chosen: ChosenRange;
  onChoose: (times: { from: string; to: string }) => void;
  /** The button that opens it. */
  children: ReactElement<{ onClick?: () => void }>;
}) {
  const [open, setOpen] = useState(false);
  return (
    <>
      {cloneElement(children, { onClick: () => setOpen(true) })}
      <Dialog open={open} onOpenChange={setOpen} title="Custom range" description={`Times in ${timeZoneName()}`}>
        <RangeForm
          chosen={chosen}
          onChoose={(times) => {
            setOpen(false);
            onChoose(times);
          }}
        />
      </Dialog>
    </>
  );
}

function RangeForm({
  chosen,
  onChoose,
}: {
  chosen: ChosenRange;
  onChoose: (times: { from: string; to: string }) => void;
}) {
  const [from, setFrom] = useState(() => toTimeInput(chosen.from ?? new Date(Date.now() - DAY_MS).toISOString()));
  const [to, setTo] = useState(() => toTimeInput(chosen.to ?? new Date().toISOString()));
  const [error, setError] = useState<string>();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const [start, end] = [fromTimeInput(from), fromTimeInput(to)];
    const fault = findFault(start, end);
    setError(fault);
    if (fault === undefined) onChoose({ from: start.toISOString(), to: end.toISOString() });
  };
  return (
    <form noValidate onSubmit={submit} className="grid gap-4">
      <Field label="From">
        {(control) => (
          <Input {...control} type="datetime-local" value={from} onChange={(event) => setFrom(event.target.value)} />
        )}
      </Field>
      <Field label="To" error={error}>
        {(control) => (
          <Input {...control} type="datetime-local" value={to} onChange={(event) => setTo(event.target.value)} />
        )}
      </Field>
      <DialogActions>
        <Button type="submit" variant="primary">
          Show range
        </Button>
      </DialogActions>
    </form>
  );
}

function findFault(from: Date, to: Date): string | undefined {
  if (Number.isNaN(from.getTime()) || Number.isNaN(to.getTime())) return 'Enter both times.';
  if (from >= to) return 'The end must be after the start.';
  return to.getTime() - from.getTime() > MAX_SPAN_MS ? 'A range can’t exceed 35 days.' : undefined;
}
