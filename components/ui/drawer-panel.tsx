'use client';

import * as Radix from 'radix-ui/dialog';
import type { ReactNode } from 'react';
import { overlayStyle } from './overlay-style';
import { useReturnFocus } from './use-return-focus';

export interface DrawerProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  children: ReactNode;
}

/** A drawer, once its code is loaded. */
export function DrawerPanel({ open, onOpenChange, title, children }: DrawerProps) {
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
