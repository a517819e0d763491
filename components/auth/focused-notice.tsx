'use client';

import { type ReactNode, useEffect, useRef } from 'react';

/** Takes the focus when it appears, so that keyboard and screen reader users continue from here. */
export function FocusedNotice({ children }: { children: ReactNode }) {
  const notice = useRef<HTMLDivElement>(null);
  useEffect(() => notice.current?.focus(), []);
  return (
    <div ref={notice} tabIndex={-1} className="rounded-lg">
      {children}
    </div>
  );
}
