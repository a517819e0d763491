'use client';

import { Check, CircleCheck } from 'lucide-react';
import dynamic from 'next/dynamic';
import type { ReactNode } from 'react';
import { ShowSecretButton } from '@/components/projects/secret-card';
import { useDisabledReason } from '@/components/projects/use-projects';
import { cn } from '@/components/ui/cn';
import { CopyButton } from '@/components/ui/copy-button';
import { InlineError } from '@/components/ui/inline-error';
import { useSourceScope } from './use-sources';

const TheirSecretForm = dynamic(() => import('./secret-forms').then((part) => part.TheirSecretForm), {
  loading: () => <div className="h-15" />,
});

/** Numbered steps, one below the other, joined by a line. */
export function StepList({ steps }: { steps: readonly { title: string; isDone: boolean; content: ReactNode }[] }) {
  return (
    <ol className="grid">
      {steps.map(({ title, isDone, content }, index) => (
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

/** The text of a step, in which `**…**` names a part of the provider's pages, and `[…](…)` links to one in a new tab. */
export function StepText({ text }: { text: string }) {
  const parts = text.split(/(\*\*.+?\*\*|\[.+?\]\(.+?\)|`.+?`)/);
  return (
    <p className="max-w-prose text-muted">
      {parts.map((part) => {
        const [, label, href] = /^\[(.+)\]\((.+)\)$/.exec(part) ?? [];
        if (href !== undefined) {
          return (
            <a
              key={part}
              href={href}
              target="_blank"
              rel="noreferrer"
              className="rounded-sm font-medium text-accent-text underline underline-offset-2"
            >
              {label}
            </a>
          );
        }
        if (part.startsWith('**')) {
          return (
            <strong key={part} className="font-medium text-text">
              {part.slice(2, -2)}
            </strong>
          );
        }
        if (!part.startsWith('`')) return part;
        return (
          <code key={part} className="font-mono text-text text-xs">
            {part.slice(1, -1)}
          </code>
        );
      })}
    </p>
  );
}

/** The signing secret that we made, masked until it is shown. */
export function OurSecret({ label }: { label: string }) {
  const { secret } = useSourceScope();
  const disabledReason = useDisabledReason('source.secret');
  const { shown } = secret;
  return (
    <div className="grid min-w-0 gap-1">
      <span className="text-muted text-xs">{label}</span>
      <span className="flex min-h-9 min-w-0 items-center justify-between gap-2 rounded-md border bg-sunken py-1 pr-1 pl-3">
        <code className="min-w-0 break-all font-mono text-xs leading-5">
          {shown ?? '••••••••••••••••••••••••••••••••'}
        </code>
        <span className="flex shrink-0 items-center gap-1">
          {shown === null ? null : <CopyButton text={shown} label={`Copy ${label}`} />}
          <ShowSecretButton secret={secret} variant="ghost" disabledReason={disabledReason}>
            <span className="sr-only">{label}</span>
          </ShowSecretButton>
        </span>
      </span>
      <InlineError what="We couldn’t show the secret" error={secret.error} className="mt-2" />
    </div>
  );
}

/** Takes the signing secret that the provider shows; afterwards says that it is saved. */
export function TheirSecret({ label, placeholder }: { label: string; placeholder: string }) {
  const { source } = useSourceScope();
  if (!source.hasSecret) return <TheirSecretForm label={label} placeholder={placeholder} />;
  return (
    <p role="status" className="flex items-center gap-2 text-success-text">
      <CircleCheck aria-hidden="true" className="size-4 shrink-0" />
      Saved. We use it to verify requests.
    </p>
  );
}
