'use client';

import { cn } from './cn';
import { formatAbsolute, formatRelative } from './format-time';
import { Tooltip } from './tooltip';
import { useNow } from './use-now';

const MINUTE_MS = 60_000;

export interface RelativeTimeProps {
  at: string;
  /** Inside a row link, which is already a tab stop. */
  inRow?: boolean;
  className?: string;
}

/** A relative time, with the absolute time in a tooltip on hover and focus. */
export function RelativeTime({ at, inRow = false, className }: RelativeTimeProps) {
  const date = new Date(at);
  const young = Math.abs(Date.now() - date.getTime()) < MINUTE_MS;
  const now = useNow(young ? 1000 : 30_000);
  return (
    <Tooltip content={formatAbsolute(date)}>
      <time
        dateTime={at}
        {...(inRow ? {} : { tabIndex: 0 })}
        className={cn('whitespace-nowrap rounded-sm', inRow && 'relative z-10', className)}
      >
        {formatRelative(date, now)}
      </time>
    </Tooltip>
  );
}
