'use client';

import { useMemo, useSyncExternalStore } from 'react';
import { SECONDS } from './clock';
import { cn } from './cn';
import { formatAbsolute, formatRelative } from './format-time';
import { Tooltip } from './tooltip';

interface RelativeTimeProps {
  at: string;
  /** Inside a row link, which is already a tab stop. */
  inRow?: boolean;
  className?: string;
}

/** A relative time, with the absolute time in a tooltip on hover and focus. It renders only when its text changes. */
export function RelativeTime({ at, inRow = false, className }: RelativeTimeProps) {
  const date = useMemo(() => new Date(at), [at]);
  const read = () => relativeAge(date, SECONDS.read());
  const age = useSyncExternalStore(SECONDS.subscribe, read, read);
  return (
    <Tooltip content={formatAbsolute(date)}>
      <time
        dateTime={at}
        // The page may become interactive some seconds after the server has rendered it.
        suppressHydrationWarning
        {...(inRow ? {} : { tabIndex: 0 })}
        className={cn('whitespace-nowrap rounded-sm', inRow && 'relative z-10', className)}
      >
        {age}
      </time>
    </Tooltip>
  );
}

/** Formats a time relative to now in whole seconds, so that times of the same second have the same age. */
export function relativeAge(at: Date, nowMs: number): string {
  return formatRelative(toSecond(at.getTime()), toSecond(nowMs));
}

function toSecond(ms: number): Date {
  return new Date(Math.floor(ms / 1000) * 1000);
}
