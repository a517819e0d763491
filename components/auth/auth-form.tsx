'use client';

import type { ReactNode, SyntheticEvent } from 'react';
import { Button } from '@/components/ui/button';
import { CoolDownNotice } from './cool-down-notice';
import { FocusedError } from './focused-error';
import type { CoolDownState } from './use-cool-down';

export interface AuthFormProps {
  form: { submit: (event?: SyntheticEvent) => void; pending: boolean; error: unknown };
  coolDown: CoolDownState;
  /** What to do instead of waiting, shown with the countdown. */
  coolDownAdvice?: ReactNode;
  /** What failed: "We couldn’t create your account". */
  errorTitle: string;
  /** Replaces the error when the page can say more about it. */
  errorNotice?: ReactNode;
  submitLabel: string;
  children: ReactNode;
}

/** The form of an auth page: fields, the reason for a refusal, and a button that waits until a cool-down has ended. */
export function AuthForm(props: AuthFormProps) {
  const { form, coolDown, coolDownAdvice, errorTitle, errorNotice, submitLabel, children } = props;
  return (
    // POST, so that a form sent before hydration puts no password into the address.
    <form method="post" noValidate onSubmit={form.submit} className="grid gap-4">
      {children}
      <CoolDownNotice coolDown={coolDown}>{coolDownAdvice}</CoolDownNotice>
      {errorNotice ?? <FocusedError what={errorTitle} error={form.error} />}
      <Button type="submit" variant="primary" size="lg" loading={form.pending} disabledReason={coolDown.disabledReason}>
        {submitLabel}
      </Button>
    </form>
  );
}
