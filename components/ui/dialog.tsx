'use client';

import { X } from 'lucide-react';
import * as Radix from 'radix-ui/dialog';
import { type ReactNode, useRef } from 'react';
import { cn } from './cn';

export const overlayStyle = 'fixed inset-0 z-40 bg-overlay';
export const panelStyle =
  'fixed z-50 flex max-h-[calc(100dvh-2rem)] w-[calc(100vw-2rem)] flex-col rounded-xl bg-surface shadow-floating animate-enter top-1/2 left-1/2 -translate-1/2';

export interface DialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: ReactNode;
  description?: ReactNode;
  /** `lg` for content with code. */
  size?: 'md' | 'lg';
  children: ReactNode;
}

/** A modal dialog that traps the focus and returns it. Its content scrolls inside it. */
export function Dialog({ open, onOpenChange, title, description, size = 'md', children }: DialogProps) {
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

/** The buttons at the end of a dialog; the primary one is last. */
export function DialogActions({ children }: { children: ReactNode }) {
  return <div className="mt-5 flex flex-wrap justify-end gap-2">{children}</div>;
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

/**
 * Returns the focus to the element that opened a dialog. Radix does so only for its own triggers, and these dialogs are
 * opened by state. For a menu item, which is gone by then, the button of the menu gets the focus.
 */
export function useReturnFocus() {
  const opener = useRef<HTMLElement | null>(null);
  return {
    onOpenAutoFocus: (event: Event) => {
      opener.current = openerOf(document.activeElement);
      focusCheckedRadio(event);
    },
    onCloseAutoFocus: (event: Event) => {
      event.preventDefault();
      // What was confirmed may have removed the opener.
      const main = document.getElementById('main');
      (opener.current?.isConnected ? opener.current : main)?.focus();
    },
  };
}

/**
 * A dialog focuses its first field. If that is a radio button, focuses the checked one instead: Space on another one would
 * select it by accident.
 */
function focusCheckedRadio(event: Event): void {
  if (!(event.target instanceof HTMLElement)) return;
  const first = event.target.querySelector('input, select, textarea, button, a[href]');
  if (!(first instanceof HTMLInputElement) || first.type !== 'radio') return;
  const checked = event.target.querySelector<HTMLInputElement>('input[type="radio"]:checked');
  if (checked === null) return;
  event.preventDefault();
  checked.focus();
}

function openerOf(element: Element | null): HTMLElement | null {
  const menuButton = element?.closest('[role="menu"]')?.getAttribute('aria-labelledby');
  const opener = menuButton ? document.getElementById(menuButton) : element;
  return opener instanceof HTMLElement ? opener : null;
}
