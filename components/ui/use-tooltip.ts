'use client';

import { type FocusEvent, type HTMLAttributes, type PointerEvent, useEffect, useRef, useState } from 'react';

const OPENS_AFTER_MS = 300;
/** Long enough to move the pointer from the anchor to the bubble. */
const CLOSES_AFTER_MS = 120;
/** The next tooltip opens at once this soon after another one closed. */
const SKIPS_DELAY_MS = 150;

let closeOpened: (() => void) | null = null;
let closedAtMs = 0;

/**
 * Decides when a tooltip is shown: on hover after a moment, on focus at once, until Escape or a click. Scrolling closes it
 * unless the anchor has the focus, since a focus may itself scroll the anchor into view. The handlers call those of `own`,
 * the attributes that the anchor has anyway.
 */
export function useTooltip(own: HTMLAttributes<HTMLElement>) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const isPressed = useRef(false);

  const close = () => {
    clearTimeout(timer.current);
    setAnchor(null);
  };
  const closeSoon = () => {
    clearTimeout(timer.current);
    timer.current = setTimeout(close, CLOSES_AFTER_MS);
  };
  const openAfter = (element: HTMLElement, ms: number) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setAnchor(element), ms);
  };

  useEffect(() => () => clearTimeout(timer.current), []);
  useEffect(() => {
    if (anchor === null) return;
    const hide = () => setAnchor(null);
    const hideUnlessFocused = () => {
      if (!anchor.contains(document.activeElement)) hide();
    };
    const hideOnEscape = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      hide();
      // A dialog around the anchor stays open.
      event.stopPropagation();
    };
    closeOpened?.();
    closeOpened = hide;
    window.addEventListener('keydown', hideOnEscape, true);
    window.addEventListener('scroll', hideUnlessFocused, true);
    window.addEventListener('resize', hide);
    return () => {
      if (closeOpened === hide) closeOpened = null;
      closedAtMs = Date.now();
      window.removeEventListener('keydown', hideOnEscape, true);
      window.removeEventListener('scroll', hideUnlessFocused, true);
      window.removeEventListener('resize', hide);
    };
  }, [anchor]);

  return {
    /** The element that the tooltip belongs to while it is shown. */
    anchor,
    handlers: {
      onPointerEnter: (event: PointerEvent<HTMLElement>) => {
        own.onPointerEnter?.(event);
        const isNext = Date.now() - closedAtMs < SKIPS_DELAY_MS;
        if (event.pointerType !== 'touch') openAfter(event.currentTarget, isNext ? 0 : OPENS_AFTER_MS);
      },
      onPointerLeave: (event: PointerEvent<HTMLElement>) => {
        own.onPointerLeave?.(event);
        closeSoon();
      },
      onPointerDown: (event: PointerEvent<HTMLElement>) => {
        own.onPointerDown?.(event);
        isPressed.current = true;
        document.addEventListener('pointerup', () => (isPressed.current = false), { once: true });
        close();
      },
      onFocus: (event: FocusEvent<HTMLElement>) => {
        own.onFocus?.(event);
        if (!isPressed.current) openAfter(event.currentTarget, 0);
      },
      onBlur: (event: FocusEvent<HTMLElement>) => {
        own.onBlur?.(event);
        close();
      },
    },
    bubbleHandlers: { onPointerEnter: () => clearTimeout(timer.current), onPointerLeave: closeSoon },
  };
}
