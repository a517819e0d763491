'use client';

import { type FormEvent, useEffect, useRef, useState } from 'react';
import { CoolDownNotice } from '@/components/auth/cool-down-notice';
import { useCoolDown } from '@/components/auth/use-cool-down';
import { ApiError } from '@/components/auth-session/api-error';
import { Button } from '@/components/ui/button';
import { Field } from '@/components/ui/field';
import { InlineError } from '@/components/ui/inline-error';
import { Input } from '@/components/ui/input';
import { layOutUserCode, readUserCode } from './user-code';

export interface CodeFormProps {
  /** A code from the link, or one that was looked up in vain. */
  typedBefore: string;
  loading: boolean;
  /** Why the last look found nothing. */
  error: unknown;
  onSubmit: (userCode: string) => void;
}

/** Where the code is typed that a client shows. */
export function CodeForm({ typedBefore, loading, error, onSubmit }: CodeFormProps) {
  const [typed, setTyped] = useState(typedBefore);
  const [fault, setFault] = useState<string | undefined>(undefined);
  const coolDown = useCoolDown();
  const input = useRef<HTMLInputElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each error is heeded once, when it comes
  useEffect(() => {
    if (error !== undefined) coolDown.handleRefusal(error);
    input.current?.focus();
  }, [error]);
  const unknown = error instanceof ApiError && error.status === 404;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (loading || coolDown.isWaiting) return;
    const userCode = readUserCode(typed);
    setFault(
      userCode === null ? 'A code has eight letters, such as BCDF-GHJK. It has no vowels and no digits.' : undefined,
    );
    if (userCode !== null) onSubmit(userCode);
    else input.current?.focus();
  };
  return (
    <form noValidate onSubmit={submit}>
      <h1 className="font-semibold text-2xl tracking-tight">Approve a device</h1>
      <p className="mt-1 text-muted text-sm">
        A command line that you sign in shows a code. Type it here to see who asks; nothing is approved yet.
      </p>
      <div className="mt-6 grid gap-4">
        <Field label="Code" error={fault ?? (unknown && typed === typedBefore ? NOT_FOUND : undefined)}>
          {(control) => (
            <Input
              {...control}
              ref={input}
              value={typed}
              onChange={(event) => {
                setFault(undefined);
                setTyped(layOut(event.target));
              }}
              placeholder="XXXX-XXXX"
              autoComplete="off"
              autoCapitalize="characters"
              autoCorrect="off"
              spellCheck={false}
              className="h-16 text-center font-mono font-medium text-2xl uppercase tracking-[0.2em] placeholder:font-normal placeholder:opacity-50 max-sm:text-2xl"
            />
          )}
        </Field>
        <CoolDownNotice coolDown={coolDown} onEnd={coolDown.end} />
        {unknown || coolDown.isWaiting ? null : <InlineError what="The code could not be looked up" error={error} />}
        <Button type="submit" variant="primary" size="lg" loading={loading} disabledReason={coolDown.disabledReason}>
          Continue
        </Button>
      </div>
    </form>
  );
}

const NOT_FOUND =
  'No request waits under this code: it is mistyped, used or expired. Codes last ten minutes; start again on your machine for a new one.';

/** Laid out while the caret stands at the end only: in the middle it would jump there. */
function layOut({ value, selectionEnd }: HTMLInputElement): string {
  return selectionEnd === value.length ? layOutUserCode(value) : value.toUpperCase();
}
