import type { ReactNode } from 'react';

/** Text in which names in backticks are code. */
export function Prose({ children }: { children: string }) {
  return <>{children.split('`').map(asCode)}</>;
}

function asCode(text: string, index: number): ReactNode {
  if (index % 2 === 0) return text;
  return <Code key={index}>{text}</Code>;
}

/** Code within a sentence. */
export function Code({ children }: { children: ReactNode }) {
  return (
    <code className="wrap-anywhere rounded bg-sunken px-1 py-0.5 font-mono text-[0.75rem] text-text">{children}</code>
  );
}
