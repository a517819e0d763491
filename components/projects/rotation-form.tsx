'use client';

import { CODE, DialogForm, TextField } from '@/components/form/form-fields';
import { GraceField } from '@/components/form/grace-field';
import { DEFAULT_GRACE, graceHoursOf } from '@/components/form/grace-hours';
import { useApiForm } from '@/components/form/use-api-form';
import { useNow } from '@/components/ui/clock';
import { formatAbsolute } from '@/components/ui/format-time';
import { MAX_SECRET_GRACE_HOURS } from '@/lib/keys/grace-policy';

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
    defaultValues: { ...DEFAULT_GRACE, secret: '' },
    send: ({ secret, ...grace }) => send(graceHoursOf(grace, MAX_SECRET_GRACE_HOURS) ?? 0, secret.trim() || undefined),
  });
  return (
    <DialogForm form={form} label={`Rotate ${what}`} failure={`We couldn’t rotate the ${what}`}>
      <p className="text-sm">{text}</p>
      <GraceField
        form={form}
        what={what}
        maxHours={MAX_SECRET_GRACE_HOURS}
        describeEnd={(hours) => describeEnd(what, hours, now)}
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
