'use client';

import { type FormEvent, useEffect, useRef, useState } from 'react';
import { CoolDownNotice, useCoolDown } from '@/components/auth/cool-down';
import { ApiError } from '@/components/auth-session/api-error';
import { Button } from '@/components/ui/button';
import { Field } from '@/components/ui/field';
import { InlineError } from '@/components/ui/inline-error';
import { Input } from '@/components/ui/input';
import { USER_CODE_LENGTH, USER_CODE_LETTERS } from '@/lib/auth/user-code-policy';

interface CodeFormProps {
  /** A code from the link, or one that was not found. */
  initialCode: string;
  loading: boolean;
  /** Why the last lookup failed. */
  error: unknown;
  onSubmit: (userCode: string) => void;
}

/** Asks for the code that a command line shows. */
export function CodeForm({ initialCode, loading, error, onSubmit }: CodeFormProps) {
  const [typed, setTyped] = useState(initialCode);
  const [codeError, setCodeError] = useState<string | undefined>(undefined);
  const coolDown = useCoolDown();
  const input = useRef<HTMLInputElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: handles each error once
  useEffect(() => {
    if (error !== undefined) coolDown.handleRefusal(error);
    input.current?.focus();
  }, [error]);
  const unknown = error instanceof ApiError && error.status === 404;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (loading || coolDown.isWaiting) return;
    const userCode = readUserCode(typed);
    setCodeError(
      userCode === null ? 'Enter eight letters, such as BCDF-GHJK. Codes have no vowels or digits.' : undefined,
    );
    if (userCode !== null) onSubmit(userCode);
    else input.current?.focus();
  };
  return (
    <form noValidate onSubmit={submit}>
      <h1 className="font-semibold text-2xl tracking-tight">Approve a device</h1>
      <p className="mt-1 text-muted text-sm">
        Enter the code shown in your terminal. You can review the request before you approve it.
      </p>
      <div className="mt-6 grid gap-4">
        <Field label="Code" error={codeError ?? (unknown && typed === initialCode ? NOT_FOUND : undefined)}>
          {(control) => (
            <Input
              {...control}
              ref={input}
              value={typed}
              onChange={(event) => {
                setCodeError(undefined);
                setTyped(formatTyped(event.target));
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
        {unknown || coolDown.isWaiting ? null : <InlineError what="We couldn’t look up the code" error={error} />}
        <Button type="submit" variant="primary" size="lg" loading={loading} disabledReason={coolDown.disabledReason}>
          Continue
        </Button>
      </div>
    </form>
  );
}

const NOT_FOUND =
  'No request matches this code. It may be mistyped, used or expired. Codes expire after ten minutes. To get a new one, start again on your device.';

/** Adds the dash only while the caret is at the end; elsewhere the caret would jump to the end. */
function formatTyped({ value, selectionEnd }: HTMLInputElement): string {
  return selectionEnd === value.length ? formatUserCode(value) : value.toUpperCase();
}

const HALF = USER_CODE_LENGTH / 2;

/** Reads a typed code, in any case and with or without its dash, as `XXXX-XXXX`; null when it is not a user code. */
export function readUserCode(typed: string): string | null {
  const letters = lettersOf(typed);
  const complete =
    letters.length === USER_CODE_LENGTH && [...letters].every((letter) => USER_CODE_LETTERS.includes(letter));
  return complete ? withDash(letters) : null;
}

/** Formats a partly typed code for its field: upper case, with the dash. */
export function formatUserCode(typed: string): string {
  return withDash(lettersOf(typed).slice(0, USER_CODE_LENGTH));
}

function lettersOf(typed: string): string {
  return typed.toUpperCase().replace(/[^A-Z0-9]/g, '');
}

function withDash(letters: string): string {
  return letters.length > HALF ? `${letters.slice(0, HALF)}-${letters.slice(HALF)}` : letters;
}
