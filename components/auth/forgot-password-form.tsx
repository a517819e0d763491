'use client';

import { useApiForm } from '@/components/form/use-api-form';
import { Button } from '@/components/ui/button';
import { Field } from '@/components/ui/field';
import { InlineError } from '@/components/ui/inline-error';
import { Input } from '@/components/ui/input';
import { AuthHeading } from './auth-heading';
import { CoolDownNotice } from './cool-down-notice';
import { FocusedNotice } from './focused-notice';
import { TextLink } from './text-link';
import type { CoolDownState } from './use-cool-down';

/** The address that the link to a new password shall go to. */
export function ForgotPasswordForm({
  email,
  coolDown: { coolDown, isWaiting, finish },
  onSend,
}: {
  email: string;
  coolDown: CoolDownState;
  onSend: (email: string) => Promise<boolean>;
}) {
  const form = useApiForm({ defaultValues: { email }, send: (values) => onSend(values.email.trim()) });
  return (
    <>
      <AuthHeading title="Set a new password">
        We mail you a link to a page where you choose one. It also adds a password to an account that has none.
      </AuthHeading>
      <form noValidate onSubmit={form.submit} className="grid gap-4">
        <Field label="Email" error={form.fieldError('email')}>
          {(control) => (
            <Input
              {...control}
              {...form.register('email', { required: 'Enter your email address.' })}
              type="email"
              autoComplete="username"
              className="h-10"
            />
          )}
        </Field>
        {coolDown ? <CoolDownNotice coolDown={coolDown} isWaiting={isWaiting} onEnd={finish} /> : null}
        {form.error === undefined ? null : (
          <FocusedNotice>
            <InlineError what="The mail could not be asked for" error={form.error} />
          </FocusedNotice>
        )}
        <Button
          type="submit"
          variant="primary"
          size="lg"
          loading={form.pending}
          disabledReason={isWaiting ? 'Wait until the time has passed' : undefined}
        >
          Send the link
        </Button>
      </form>
      <p className="mt-5 text-muted text-sm">
        Remembered it? <TextLink href="/login">Sign in</TextLink>
      </p>
    </>
  );
}
