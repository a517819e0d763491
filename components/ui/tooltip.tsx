'use client';

import * as Radix from 'radix-ui/tooltip';
import { type ReactElement, type ReactNode, useRef, useState } from 'react';

/** Needed once around all tooltips: the next one opens at once soon after another one closed. */
export function TooltipProvider({ children }: { children: ReactNode }) {
  return (
    <Radix.Provider delayDuration={300} skipDelayDuration={150}>
      {children}
    </Radix.Provider>
  );
}

/**
 * Shows `content` beside its child on hover and focus. The child must be focusable for keyboard users. Without content there
 * is no tooltip; the child stays mounted and keeps its focus when that changes.
 */
export function Tooltip({ content, children }: { content: ReactNode; children: ReactElement }) {
  const trigger = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  const change = (open: boolean) => {
    // Radix closes a tooltip when the page scrolls, which a focus does when it brings its element into view.
    const isKept = !open && trigger.current?.matches(':focus-visible');
    if (!isKept) setOpen(open);
  };
  const close = () => setOpen(false);
  return (
    <Radix.Root open={isOpen && content !== undefined} onOpenChange={change}>
      <Radix.Trigger asChild ref={trigger} onBlur={close} onPointerDown={close}>
        {children}
      </Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          sideOffset={6}
          collisionPadding={8}
          onEscapeKeyDown={close}
          className="z-60 w-max max-w-[min(18rem,calc(100vw-1rem))] animate-enter rounded-md bg-text px-2 py-1 text-background text-xs shadow-floating"
        >
          {content}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

/** A text with a tooltip on hover and focus, dotted below, so that it looks like it has one. */
export function ExplainedText({ explanation, children }: { explanation: ReactNode; children: ReactNode }) {
  const focusable = { tabIndex: 0 };
  return (
    <Tooltip content={explanation}>
      <span
        {...focusable}
        className="whitespace-nowrap rounded-sm underline decoration-border-strong decoration-dotted underline-offset-4"
      >
        {children}
      </span>
    </Tooltip>
  );
}
