'use client';

import { Play } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import type { Field } from '@/components/docs/api/schema/field';
import { useReader } from '@/components/docs/reader/reader-context';
import { SignInLink } from '@/components/docs/reader/sign-in-link';
import { Button } from '@/components/ui/button';
import { TryForm } from './try-form';
import type { TryMode } from './try-mode';

export interface TryItProps {
  /** The id of the section, to return to after a sign-in. */
  anchor: string;
  mode: TryMode;
  path: string;
  /** The parameters of path and query. */
  fields: readonly Field[];
}

/** Sends the call from the page, as the signed-in reader. Says what is missing where the page cannot send it. */
export function TryIt({ anchor, mode, path, fields }: TryItProps) {
  const { status } = useReader();
  const [isOpen, setIsOpen] = useState(false);
  const panelId = useId();
  if (mode.kind === 'never') return null;
  if (mode.kind === 'other-credential') {
    return (
      <Note>{`Needs a different credential than your session: ${lowerFirst(mode.needs)}. Use the example above.`}</Note>
    );
  }
  if (mode.kind === 'person' && status !== 'signed-in') {
    if (status === 'unknown') return null;
    return (
      <Note>
        <SignInLink anchor={anchor} className="font-medium text-accent-text hover:underline">
          Sign in
        </SignInLink>{' '}
        to try this call here.
      </Note>
    );
  }
  return (
    <div className="min-w-0 rounded-lg border bg-surface">
      <div className="flex items-center justify-between gap-3 py-2 pr-2 pl-3.5">
        <p className="text-muted text-sm">
          {mode.kind === 'person' ? 'Send it with your session.' : 'Send it without a credential.'}
        </p>
        <Button size="sm" aria-expanded={isOpen} aria-controls={panelId} onClick={() => setIsOpen(!isOpen)}>
          <Play aria-hidden="true" />
          Try it
        </Button>
      </div>
      <div id={panelId} hidden={!isOpen} data-try={isOpen || undefined}>
        {isOpen ? <TryForm path={path} fields={fields} asPerson={mode.kind === 'person'} /> : null}
      </div>
    </div>
  );
}

function Note({ children }: { children: ReactNode }) {
  return <p className="rounded-lg border border-dashed px-3.5 py-2.5 text-muted text-sm">{children}</p>;
}

/** "Operator token" → "operator token", but "API key" stays. */
function lowerFirst(text: string): string {
  return /^[A-Z][a-z]/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;
}
