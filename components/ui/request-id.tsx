'use client';

import { useEffect, useState } from 'react';
import { cn } from './cn';
import { lazyPart } from './lazy-part';

/** Loaded with the first error, since most pages have none. */
const copyableId = lazyPart(() => import('./copyable-id'));

/** The id of a failed request, for support. Its copy button appears when it is loaded; the id can be selected without it. */
export function RequestId({ id, className }: { id: string; className?: string }) {
  const [, setLoaded] = useState(false);
  useEffect(() => {
    copyableId.load().then(
      () => setLoaded(true),
      () => undefined,
    );
  }, []);
  const part = copyableId.get();
  return (
    <p className={cn('flex items-center gap-x-1.5 text-xs', className)}>
      Request{' '}
      {part === null ? (
        <code className="truncate font-mono">{id}</code>
      ) : (
        <part.CopyableId id={id} label="Copy request ID" />
      )}
    </p>
  );
}
