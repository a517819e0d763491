'use client';

import { useMemo, useSyncExternalStore } from 'react';
import { SECONDS } from './clock';
import { cn } from './cn';
import { formatAbsolute } from './format-time';
import { relativeAge } from './relative-age';
import { Tooltip } from './tooltip';

export interface RelativeTimeProps {
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
