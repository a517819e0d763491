'use client';

import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { sendRequest } from '@/components/auth-session/request';
import { useApiForm } from '@/components/form/use-api-form';
import { AuthForm, AuthHeading, NewPasswordField } from './auth-form';
import { useCoolDown } from './cool-down';
import { InvalidLink, isInvalidLink, useLinkToken } from './email-link';

/** Sets the password of an account from an emailed link, also for an account without a password. */
export function ResetPassword() {
  const token = useLinkToken();
  const router = useRouter();
  const [isRefused, setRefused] = useState(token === '');
  const coolDown = useCoolDown();
  const form = useApiForm({
    defaultValues: { password: '' },
    send: async ({ password }) => {
      try {
        await coolDown.attempt(async () => {
          await sendRequest('/auth/reset-password', { method: 'POST', body: { token, password } });
          router.replace('/login?notice=password-set');
        });
      } catch (error) {
        if (!isInvalidLink(error)) throw error;
        setRefused(true);
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
