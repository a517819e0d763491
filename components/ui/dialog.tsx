'use client';

import { X } from 'lucide-react';
import * as Radix from 'radix-ui/dialog';
import { type ReactNode, useState } from 'react';
import { UnsavedInDialog } from '@/components/form/unsaved';
import { cn } from './cn';
import { ConfirmDialog } from './confirm-dialog';
import { overlayStyle, panelStyle, useReturnFocus } from './panel';

export interface DialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: ReactNode;
  description?: ReactNode;
  /** `lg` for content with code. */
  size?: 'md' | 'lg';
  children: ReactNode;
}

/**
 * A modal dialog that traps the focus and returns it. Its content scrolls inside it. It asks before it discards what was typed in its
 * forms.
 */
export function Dialog({ open, onOpenChange, title, description, size = 'md', children }: DialogProps) {
  const returnFocus = useReturnFocus();
  const [unsaved] = useState(() => new Set<object>());
  const [asking, setAsking] = useState(false);
  const change = (next: boolean) => {
    if (!next && unsaved.size > 0) setAsking(true);
    else onOpenChange(next);
  };
  return (
    <Radix.Root open={open} onOpenChange={change}>
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
          {/* What gets the focus is not below the buttons. */}
          <div className="min-h-0 scroll-pb-20 overflow-y-auto px-5 py-4">
            <UnsavedInDialog value={unsaved}>{children}</UnsavedInDialog>
          </div>
          {/* Last, so that opening focuses the first field instead of the close button. */}
          <Radix.Close
            aria-label="Close"
            className="absolute top-4 right-4 inline-flex size-7 items-center justify-center rounded-md text-muted hover:bg-sunken hover:text-text"
          >
            <X aria-hidden="true" className="size-4" />
          </Radix.Close>
          <ConfirmDialog
            open={asking}
            onOpenChange={setAsking}
            title="Discard what you typed?"
            description="It hasn’t been saved."
            confirmLabel="Discard"
            cancelLabel="Keep editing"
            onConfirm={() => onOpenChange(false)}
          />
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

/** The buttons at the end of a dialog, which stay in view while its content scrolls; the primary one is last. */
export function DialogActions({ children }: { children: ReactNode }) {
  return (
    <div className="mt-5 flex flex-wrap justify-end gap-2 in-[[role=dialog]]:sticky in-[[role=dialog]]:-bottom-4 in-[[role=dialog]]:-mx-5 in-[[role=dialog]]:-mb-4 in-[[role=dialog]]:rounded-b-xl in-[[role=dialog]]:border-t in-[[role=dialog]]:bg-surface in-[[role=dialog]]:px-5 in-[[role=dialog]]:py-3">
      {children}
    </div>
  );
}

/** A panel from the left edge, for navigation on narrow screens. It traps the focus and returns it. */
export function Drawer({
  open,
  onOpenChange,
  title,
  children,
}: Pick<DialogProps, 'open' | 'onOpenChange' | 'title' | 'children'>) {
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
