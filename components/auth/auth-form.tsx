'use client';

import { LogIn } from 'lucide-react';
import { createContext, type FormEvent, type ReactNode, useContext } from 'react';
import { safeReturnTo } from '@/components/auth-session/return-to';
import type { FieldControl } from '@/components/form/use-api-form';
import { Button } from '@/components/ui/button';
import { Field } from '@/components/ui/field';
import { Input, PasswordInput } from '@/components/ui/input';
import type { SignInProvider } from '@/lib/idp/schema';
import { CoolDownNotice, type CoolDownState, FocusedError } from './cool-down';

interface AuthFormProps {
  form: { submit: (event: FormEvent) => void; pending: boolean; error: unknown };
  coolDown: CoolDownState;
  /** What to do instead of waiting, shown with the countdown. */
  coolDownAdvice?: ReactNode;
  /** What failed: "We couldn’t create your account". */
  errorTitle: string;
  /** Replaces the error when the page can say more about it. */
  errorNotice?: ReactNode;
  submitLabel: string;
  /** Why the form cannot be sent, besides a cool-down. */
  disabledReason?: string | undefined;
  children: ReactNode;
}

/** The form of an auth page: fields, the reason for a refusal, and a button that waits until a cool-down has ended. */
export function AuthForm(props: AuthFormProps) {
  const { form, coolDown, coolDownAdvice, errorTitle, errorNotice, submitLabel, children } = props;
  const disabledReason = coolDown.disabledReason ?? props.disabledReason;
  return (
    // POST, so that a form sent before hydration puts no password into the address.
    <form method="post" noValidate onSubmit={form.submit} className="grid gap-4">
      {children}
      <CoolDownNotice coolDown={coolDown}>{coolDownAdvice}</CoolDownNotice>
      {errorNotice ?? <FocusedError what={errorTitle} error={form.error} />}
      <Button type="submit" variant="primary" size="lg" loading={form.pending} disabledReason={disabledReason}>
        {submitLabel}
      </Button>
    </form>
  );
}

/** The email address of an auth form. `autoComplete` tells a password manager whether the account exists. */
export function EmailField({
  control: registration,
  error,
  autoComplete,
}: {
  control: FieldControl;
  error: string | undefined;
  autoComplete: 'username' | 'email';
}) {
  return (
    <Field label="Email" error={error}>
      {(control) => <Input {...control} {...registration} type="email" autoComplete={autoComplete} className="h-10" />}
    </Field>
  );
}

/** A password to set, with the rules that it must follow. */
export function NewPasswordField({
  label,
  control: registration,
  error,
  className,
}: {
  label: string;
  control: FieldControl;
  error: string | undefined;
  className?: string;
}) {
  const minLength = useContext(MinPasswordLength);
  return (
    <Field
      label={label}
      error={error}
      hint={`At least ${minLength} characters, and not a common password. A few unrelated words work well.`}
    >
      {(control) => (
        <PasswordInput
          {...control}
          {...registration}
          autoComplete="new-password"
          {...(className ? { className } : {})}
        />
      )}
    </Field>
  );
}

const MinPasswordLength = createContext(0);

/** Tells the forms of the pages what the server requires of a new password: the characters that it must have. */
export function MinPasswordLengthProvider({ value, children }: { value: number; children: ReactNode }) {
  return <MinPasswordLength value={value}>{children}</MinPasswordLength>;
}

let prefilled = '';

/**
 * Returns the address that was typed on another auth page. It is kept in memory: in the URL it would reach browser
 * histories and logs.
 */
export function prefilledEmail(): string {
  return prefilled;
}

/** Keeps a typed address for the next auth page. An empty string removes it. */
export function prefillEmail(email: string): void {
  prefilled = email.trim();
}

/** The title of an auth page, and a sentence on what happens next. */
export function AuthHeading({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <header className="mb-6">
      <h1 className="text-balance font-semibold text-2xl tracking-tight">{title}</h1>
      {children ? <p className="mt-1 text-pretty text-muted text-sm">{children}</p> : null}
    </header>
  );
}

/** Buttons for the identity providers. Renders nothing when none is configured. */
export function ContinueWith({ providers, returnTo }: { providers: readonly SignInProvider[]; returnTo: string }) {
  if (providers.length === 0) return null;
  return (
    <div className="mb-5 grid gap-2">
      {providers.map(({ id, name }) => (
        <Button key={id} asChild size="lg" className="w-full">
          <a href={providerPath(id, returnTo)}>
            <LogIn aria-hidden="true" />
            Continue with {name}
          </a>
        </Button>
      ))}
      <p className="mt-3 flex items-center gap-3 text-muted text-xs before:h-px before:flex-1 before:bg-border after:h-px after:flex-1 after:bg-border">
        or with a password
      </p>
    </div>
  );
}

/** Returns the path that starts the sign-in at a provider and then returns to `returnTo`. */
export function providerPath(id: string, returnTo: string): string {
  const start = `/api/v1/auth/oauth/${encodeURIComponent(id)}`;
  const path = safeReturnTo(returnTo);
  return path === '/' ? start : `${start}?${new URLSearchParams({ returnTo: path })}`;
}
