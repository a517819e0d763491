'use client';

import { ChoicePills } from '@/components/form/choice-pills';
import { CODE, DialogForm, TextField } from '@/components/form/form-fields';
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
  ownHint,
  send,
}: {
  /** As a title and after "old" it reads the same: URL, secret. */
  what: 'URL' | 'secret';
  /** What to do afterward. */
  text: string;
  /** What an own secret looks like; without it, the new one is always generated. */
  ownHint?: string;
  /** @param secret the new one; undefined for a generated one */
  send: (gracePeriodHours: number, secret: string | undefined) => Promise<unknown>;
}) {
  const now = useNow(1000);
  const form = useApiForm({
    defaultValues: { grace: '24', secret: '' },
    send: ({ grace, secret }) => send(Number(grace), secret.trim() || undefined),
  });
  return (
    <DialogForm form={form} label={`Rotate ${what}`} failure={`We couldn’t rotate the ${what}`}>
      <p className="text-sm">{text}</p>
      <ChoicePills
        legend={`Grace period for the old ${what}`}
        choices={GRACE_CHOICES}
        control={form.register('grace')}
        hint={describeEnd(what, Number(form.watch('grace')), now)}
      />
      {ownHint === undefined ? null : (
        <TextField form={form} name="secret" label="New secret" optional hint={ownHint} {...CODE} />
      )}
    </DialogForm>
  );
}

const HOUR_MS = 60 * 60_000;

/** Says when the old one ends: "The old URL works until 21 Nov 2026, 13:05:09 UTC." */
export function describeEnd(what: string, hours: number, now: Date): string {
  if (hours === 0) return `The old ${what} stops working immediately.`;
  return `The old ${what} works until ${formatAbsolute(new Date(now.getTime() + hours * HOUR_MS))}.`;
}
