'use client';

import { useApiForm } from '@/components/form/use-api-form';
import { AuthForm } from './auth-form';
import { AuthHeading } from './auth-heading';
import { EmailField } from './email-field';
import { TextLink } from './text-link';
import type { CoolDownState } from './use-cool-down';

/** Asks for the address to send a password link to. */
export function ForgotPasswordForm({
  email,
  coolDown,
  onSend,
}: {
  email: string;
  coolDown: CoolDownState;
  onSend: (email: string) => Promise<boolean>;
}) {
  const form = useApiForm({ defaultValues: { email }, send: (values) => onSend(values.email.trim()) });
  return (
    <>
      <AuthHeading title="Reset your password">
        We’ll email you a link to set a new password, even if your account doesn’t have one yet.
      </AuthHeading>
      <AuthForm form={form} coolDown={coolDown} errorTitle="We couldn’t send the email" submitLabel="Send link">
        <EmailField
          control={form.register('email', { required: 'Enter your email address.' })}
          error={form.fieldError('email')}
          autoComplete="username"
        />
      </AuthForm>
      <p className="mt-5 text-muted text-sm">
        Remember your password? <TextLink href="/login">Sign in</TextLink>
      </p>
    </>
  );
}
