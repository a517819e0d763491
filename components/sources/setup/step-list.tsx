import { Check } from 'lucide-react';
import type { ReactNode } from 'react';
import { cn } from '@/components/ui/cn';

export interface SetupStep {
  title: string;
  /** Whether it is known to be done. */
  isDone?: boolean;
  content: ReactNode;
}

/** Numbered steps, one below the other, joined by a line. */
export function StepList({ steps }: { steps: readonly SetupStep[] }) {
  return (
    <ol className="grid">
      {steps.map(({ title, isDone = false, content }, index) => (
        <li key={title} className="relative flex gap-3 pb-6 last:pb-0 sm:gap-4">
          {index === steps.length - 1 ? null : (
            <span aria-hidden="true" className="absolute top-8 bottom-1 left-3.5 w-px bg-border" />
          )}
          <span
            aria-hidden="true"
            className={cn(
              'flex size-7 shrink-0 items-center justify-center rounded-full font-medium text-xs',
              isDone ? 'bg-success-subtle text-success-text' : 'bg-accent-subtle text-accent-text',
            )}
          >
            {isDone ? <Check className="size-4" /> : index + 1}
          </span>
          <div className="grid min-w-0 flex-1 grid-cols-[minmax(0,1fr)] gap-2.5 pt-1 text-sm">
            <h3 className="font-medium">
              {title}
              {isDone ? <span className="sr-only">, done</span> : null}
            </h3>
            {content}
          </div>
        </li>
      ))}
    </ol>
  );
}

/** The name of a menu, field or button in the provider's own pages. */
export function Name({ children }: { children: ReactNode }) {
  return <strong className="font-medium text-text">{children}</strong>;
}

/** The text of a step. */
export function StepText({ children }: { children: ReactNode }) {
  return <p className="max-w-prose text-muted">{children}</p>;
}

/** A link to the provider's own pages, in a new tab. */
export function ProviderLink({ href, children }: { href: string; children: string }) {
  return (
    <a
      href={href}
      target="_blank"
      rel="noreferrer"
      className="rounded-sm font-medium text-accent-text underline underline-offset-2"
    >
      {children}
    </a>
  );
}
