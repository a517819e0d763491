'use client';

import { Dialog as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import { overlayStyle } from './dialog';
import { useReturnFocus } from './use-return-focus';

/** A panel from the left edge, for navigation on narrow screens. It traps the focus and returns it. */
export function Drawer({
  open,
  onOpenChange,
  title,
  children,
}: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  children: ReactNode;
}) {
  const returnFocus = useReturnFocus();
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className={overlayStyle} />
        <Radix.Content
          aria-describedby={undefined}
          {...returnFocus}
          className="fixed inset-y-0 left-0 z-50 w-64 max-w-[85vw] animate-slide-in overflow-y-auto bg-surface shadow-floating"
        >
          <Radix.Title className="sr-only">{title}</Radix.Title>
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
