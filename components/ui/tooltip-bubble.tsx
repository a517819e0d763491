'use client';

import { type HTMLAttributes, useLayoutEffect, useRef } from 'react';

/** Pixels between the bubble and its anchor, and between the bubble and the edges of the window. */
const GAP = 6;
const MARGIN = 8;

/** The text beside an anchor: above it, or below it where there is no room. It follows the anchor when that scrolls. */
export function TooltipBubble({ anchor, ...rest }: HTMLAttributes<HTMLDivElement> & { anchor: Element }) {
  const bubble = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const follow = () => {
      if (bubble.current !== null) place(bubble.current, anchor.getBoundingClientRect());
    };
    follow();
    window.addEventListener('scroll', follow, true);
    return () => window.removeEventListener('scroll', follow, true);
  });
  return (
    <div
      {...rest}
      ref={bubble}
      role="tooltip"
      className="pointer-events-auto fixed top-0 left-0 z-60 w-max max-w-[min(18rem,calc(100vw-1rem))] animate-enter rounded-md bg-text px-2 py-1 text-background text-xs shadow-floating"
    />
  );
}

function place(bubble: HTMLElement, anchor: DOMRect): void {
  const { offsetWidth: width, offsetHeight: height } = bubble;
  const above = anchor.top - GAP - height;
  const centered = anchor.left + (anchor.width - width) / 2;
  const rightmost = document.documentElement.clientWidth - MARGIN - width;
  bubble.style.top = `${above >= MARGIN ? above : anchor.bottom + GAP}px`;
  bubble.style.left = `${Math.max(MARGIN, Math.min(centered, rightmost))}px`;
}
