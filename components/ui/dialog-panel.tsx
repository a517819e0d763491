'use client';

import { X } from 'lucide-react';
import * as Radix from 'radix-ui/dialog';
import type { ReactNode } from 'react';
import { cn } from './cn';
import { overlayStyle, panelStyle } from './overlay-style';
import { useReturnFocus } from './use-return-focus';

export interface DialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: ReactNode;
  description?: ReactNode;
  /** `lg` for content with code. */
  size?: 'md' | 'lg';
  children: ReactNode;
}

/** A dialog, once its code is loaded. */
export function DialogPanel({ open, onOpenChange, title, description, size = 'md', children }: DialogProps) {
  const returnFocus = useReturnFocus();
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className={overlayStyle} />
        <Radix.Content
          className={cn(panelStyle, size === 'lg' ? 'max-w-2xl' : 'max-w-lg')}
          {...(description === undefined ? { 'aria-describedby': undefined } : {})}
          {...returnFocus}
        >
          <div className="border-b py-4 pr-14 pl-5">
            <Radix.Title className="break-words font-semibold text-lg">{title}</Radix.Title>
            {description === undefined ? null : (
              <Radix.Description className="text-muted text-sm">{description}</Radix.Description>
            )}
          </div>
          <div className="min-h-0 overflow-y-auto px-5 py-4">{children}</div>
          {/* Last, so that opening focuses the first field instead of the close button. */}
          <Radix.Close
            aria-label="Close"
            className="absolute top-4 right-4 inline-flex size-7 items-center justify-center rounded-md text-muted hover:bg-sunken hover:text-text"
          >
            <X aria-hidden="true" className="size-4" />
          </Radix.Close>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
