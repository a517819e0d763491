'use client';

import type { ReactNode } from 'react';
import { Tooltip } from './tooltip';

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
