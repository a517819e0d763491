'use client';

import { useAsyncAction } from '@/components/form/use-async-action';
import { useNow } from '@/components/ui/clock';
import { formatAbsolute } from '@/components/ui/format-time';
import { InlineError } from '@/components/ui/inline-error';
import { Select } from '@/components/ui/select';
import { toast } from '@/components/ui/toast';
import type { User } from '@/lib/accounts/schema';

const ZONES = [
  { value: 'LOCAL', label: 'Local time' },
  { value: 'UTC', label: 'UTC' },
];

/** Chooses whether the dashboard shows local time or UTC, in every browser of the person. */
export function TimeZoneForm({ user, choose }: { user: User; choose: (timeZone: User['timeZone']) => Promise<void> }) {
  const { error, run } = useAsyncAction();
  const now = useNow(1000);
  const change = (value: string) =>
    void run(async () => {
      await choose(value === 'UTC' ? 'UTC' : 'LOCAL');
      toast.success('Time zone saved.');
    });
  return (
    <div className="grid gap-3">
      <div className="flex flex-wrap items-center gap-3">
        <Select aria-label="Time zone" value={user.timeZone} onValueChange={change} options={ZONES} />
        <span className="text-muted text-sm tabular-nums">Now: {formatAbsolute(now)}</span>
      </div>
      <InlineError what="The time zone could not be saved" error={error} />
    </div>
  );
}
