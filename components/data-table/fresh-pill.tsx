'use client';

import { ArrowUp } from 'lucide-react';
import { Button } from '@/components/ui/button';

/** "3 new events": what arrived and waits to be shown. It floats, so that nothing moves when it comes. */
export function FreshPill({
  count,
  cut,
  noun,
  onShow,
}: {
  count: number;
  /** There may be more than counted. */
  cut: boolean;
  /** Singular and plural. */
  noun: readonly [string, string];
  onShow: () => void;
}) {
  const text = `${count}${cut ? '+' : ''} new ${count === 1 ? noun[0] : noun[1]}`;
  return (
    <div className="pointer-events-none sticky top-16 z-10 h-0 text-center">
      {count === 0 ? null : (
        <Button
          variant="primary"
          size="sm"
          className="pointer-events-auto -mt-1 animate-enter rounded-full shadow-floating"
          onClick={onShow}
        >
          <ArrowUp aria-hidden="true" />
          {text}
        </Button>
      )}
      <span role="status" className="sr-only">
        {count === 0 ? '' : text}
      </span>
    </div>
  );
}
