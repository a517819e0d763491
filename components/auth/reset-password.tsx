'use client';

import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { sendRequest } from '@/components/auth-session/request';
import { useApiForm } from '@/components/form/use-api-form';
import { Button } from '@/components/ui/button';
import { Field } from '@/components/ui/field';
import { InlineError } from '@/components/ui/inline-error';
import { PasswordInput } from '@/components/ui/password-input';
import { AuthHeading } from './auth-heading';
import { CoolDownNotice } from './cool-down-notice';
import { FocusedNotice } from './focused-notice';
import { InvalidLink, isInvalidLink } from './invalid-link';
import { useCoolDown } from './use-cool-down';
import { useLinkToken } from './use-link-token';

/** Choosing a password by the link of a mail: a new one, or the first of an account that has none. */
export function ResetPassword() {
  const token = useLinkToken();
  const router = useRouter();
  const [isRefused, setRefused] = useState(token === '');
  const { coolDown, isWaiting, handleRefusal, finish, end } = useCoolDown();
  const form = useApiForm({
    defaultValues: { password: '' },
    send: async ({ password }) => {
      end();
      try {
        await sendRequest('/auth/reset-password', { method: 'POST', body: { token, password } });
        router.replace('/login?notice=password-set');
      } catch (error) {
        if (isInvalidLink(error)) setRefused(true);
        else if (!handleRefusal(error)) throw error;
      }
    },
  });
  if (isRefused) {
    return (
      <InvalidLink
        title="Set a new password"
        explanation="This link is incomplete, was used, or is older than 30 minutes; a newer mail also ends it. Your password is as it was."
        takesFocus={token !== ''}
        action={{ label: 'Ask for a new link', href: '/forgot-password' }}
      />
    );
  }
  return (
    <>
      <AuthHeading title="Set a new password">
        Setting it signs the account out everywhere. Then sign in with the new password.
      </AuthHeading>
      <form method="post" noValidate onSubmit={form.submit} className="grid gap-4">
        <Field
          label="New password"
          error={form.fieldError('password')}
          hint="Long beats complicated: a few unrelated words do well."
        >
          {(control) => (
            <PasswordInput
              {...control}
              {...form.register('password', { required: 'Choose a password.' })}
              autoComplete="new-password"
              className="h-10"
            />
          )}
        </Field>
        {coolDown ? <CoolDownNotice coolDown={coolDown} isWaiting={isWaiting} onEnd={finish} /> : null}
        {form.error === undefined ? null : (
          <FocusedNotice>
            <InlineError what="The password could not be set" error={form.error} />
          </FocusedNotice>
        )}
        <Button
          type="submit"
          variant="primary"
          size="lg"
          loading={form.pending}
          disabledReason={isWaiting ? 'Wait until the time has passed' : undefined}
        >
          Set the password
        </Button>
      </form>
    </>
  );
}
