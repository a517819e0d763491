'use client';

import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { sendRequest } from '@/components/auth-session/request';
import { useApiForm } from '@/components/form/use-api-form';
import { AuthForm } from './auth-form';
import { AuthHeading } from './auth-heading';
import { InvalidLink, isInvalidLink } from './invalid-link';
import { NewPasswordField } from './new-password-field';
import { useCoolDown } from './use-cool-down';
import { useLinkToken } from './use-link-token';

/** Sets the password of an account from an emailed link, also for an account without a password. */
export function ResetPassword() {
  const token = useLinkToken();
  const router = useRouter();
  const [isRefused, setRefused] = useState(token === '');
  const coolDown = useCoolDown();
  const form = useApiForm({
    defaultValues: { password: '' },
    send: async ({ password }) => {
      coolDown.end();
      try {
        await sendRequest('/auth/reset-password', { method: 'POST', body: { token, password } });
        router.replace('/login?notice=password-set');
      } catch (error) {
        if (isInvalidLink(error)) setRefused(true);
        else if (!coolDown.handleRefusal(error)) throw error;
      }
    },
  });
  if (isRefused) {
    return (
      <InvalidLink
        title="Set a new password"
        explanation="It’s incomplete, already used, older than 30 minutes, or replaced by a newer email. Your password hasn’t changed."
        takesFocus={token !== ''}
        action={{ label: 'Request a new link', href: '/forgot-password' }}
      />
    );
  }
  return (
    <>
      <AuthHeading title="Set a new password">
        This signs you out everywhere. Sign in again with the new password.
      </AuthHeading>
      <AuthForm form={form} coolDown={coolDown} errorTitle="We couldn’t set your password" submitLabel="Set password">
        <NewPasswordField
          label="New password"
          control={form.register('password', { required: 'Choose a password.' })}
          error={form.fieldError('password')}
          className="h-10"
        />
      </AuthForm>
    </>
  );
}
