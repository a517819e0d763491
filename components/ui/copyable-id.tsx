'use client';

import { cn } from './cn';
import { CopyButton } from './copy-button';

/** An id with a copy button. `short` shows the last eight characters, since a UUIDv7 starts with its time. */
export function CopyableId({
  id,
  label = 'Copy ID',
  short = false,
  className,
}: {
  id: string;
  label?: string;
  short?: boolean;
  className?: string;
}) {
  return (
    <span className={cn('inline-flex min-w-0 max-w-full items-center gap-0.5', className)}>
      <code className="truncate font-mono text-xs" title={id}>
        {short ? `…${id.slice(-8)}` : id}
      </code>
      <CopyButton text={id} label={label} className="size-6 text-muted [&_svg]:size-3.5" />
    </span>
  );
}

/** Shortens an id to its last eight characters, since a UUIDv7 starts with its time. */
export function shortId(id: string): string {
  return `…${id.slice(-8)}`;
}
