'use client';

import { ChoicePills } from '@/components/form/choice-pills';
import { DialogForm } from '@/components/form/form-fields';
import { useApiForm } from '@/components/form/use-api-form';
import { useNow } from '@/components/ui/clock';
import { formatAbsolute } from '@/components/ui/format-time';

/** How long an old URL or secret can keep working, in hours. */
export const GRACE_CHOICES = [
  { value: '0', label: 'None' },
  { value: '1', label: '1 h' },
  { value: '24', label: '24 h' },
  { value: '72', label: '3 days' },
  { value: '168', label: '7 days' },
] as const;

/** Replaces a URL or a secret, and asks how long the old one works. */
export function RotationForm({
  what,
  text,
  send,
}: {
  /** As a title and after "old" it reads the same: URL, secret. */
  what: 'URL' | 'secret';
  /** What to do afterward. */
  text: string;
  send: (gracePeriodHours: number) => Promise<unknown>;
}) {
  const now = useNow(1000);
  const form = useApiForm({ defaultValues: { grace: '24' }, send: ({ grace }) => send(Number(grace)) });
  return (
    <DialogForm form={form} label={`Rotate ${what}`} failure={`We couldn’t rotate the ${what}`}>
      <p className="text-sm">{text}</p>
      <ChoicePills
        legend={`Grace period for the old ${what}`}
        choices={GRACE_CHOICES}
        control={form.register('grace')}
        hint={describeEnd(what, Number(form.watch('grace')), now)}
      />
    </DialogForm>
  );
}

const HOUR_MS = 60 * 60_000;

/** Says when the old one ends: "The old URL works until 21 Nov 2026, 13:05:09 UTC." */
export function describeEnd(what: string, hours: number, now: Date): string {
  if (hours === 0) return `The old ${what} stops working immediately.`;
  return `The old ${what} works until ${formatAbsolute(new Date(now.getTime() + hours * HOUR_MS))}.`;
}
