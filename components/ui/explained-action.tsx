import type { ReactNode } from 'react';

/** A button beside the text that says what it does. */
export function ExplainedAction({ text, children }: { text: ReactNode; children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-3">
      <p className="max-w-md min-w-0 flex-1 basis-64 text-sm">{text}</p>
      {children}
    </div>
  );
}
