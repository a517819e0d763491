import type { ReactNode } from 'react';
import { cn } from '@/components/ui/cn';

/** Text in which names in backticks are code. */
export function Prose({ children }: { children: string }) {
  return <>{children.split('`').map(asCode)}</>;
}

function asCode(text: string, index: number): ReactNode {
  if (index % 2 === 0) return text;
  return <Code key={index}>{text}</Code>;
}

/** Longer code may break within: it could be wider than a phone. */
const MAX_UNBROKEN_CHARS = 20;

/** Code within a sentence. */
export function Code({ children }: { children: ReactNode }) {
  const isShort = typeof children === 'string' && children.length <= MAX_UNBROKEN_CHARS;
  return (
    <code
      className={cn(
        'rounded bg-sunken px-1 py-0.5 font-mono text-[0.75rem] text-text',
        isShort ? 'whitespace-nowrap' : 'wrap-anywhere',
      )}
    >
      {children}
    </code>
  );
}
