'use client';

import { useState } from 'react';
import { CoolDownNotice } from '@/components/auth/cool-down-notice';
import { NewPasswordField } from '@/components/auth/new-password-field';
import { useCoolDown } from '@/components/auth/use-cool-down';
import { apiFetch } from '@/components/auth-session/api-fetch';
import { useApiForm } from '@/components/form/use-api-form';
import { Button } from '@/components/ui/button';
import { Callout } from '@/components/ui/callout';
import { Field } from '@/components/ui/field';
import { InlineError } from '@/components/ui/inline-error';
import { PasswordInput } from '@/components/ui/input';
import type { User } from '@/lib/accounts/schema';
import { EmailPasswordLink } from './email-password-link';

const EMPTY = { currentPassword: '', newPassword: '' };

/** Changes the password. A wrong current password counts as a failed sign-in. */
export function ChangePasswordForm({ user }: { user: User }) {
  const coolDown = useCoolDown();
  const [changed, setChanged] = useState(false);
  const form = useApiForm({
    defaultValues: EMPTY,
    send: async (values) => {
      coolDown.end();
      setChanged(false);
      try {
        await apiFetch('/auth/change-password', { method: 'POST', body: values });
        form.reset(EMPTY);
        setChanged(true);
      } catch (error) {
        if (!coolDown.handleRefusal(error)) throw error;
      }
    },
  });
  return (
    <>
      <form method="post" noValidate onSubmit={form.submit} className="grid gap-4">
        {/* Tells password managers which account the password belongs to. */}
        <input type="text" name="username" autoComplete="username" value={user.email} readOnly hidden />
        <Field label="Current password" error={form.fieldError('currentPassword')}>
          {(control) => (
            <PasswordInput
              {...control}
              {...form.register('currentPassword', { required: 'Enter your current password.' })}
              autoComplete="current-password"
            />
          )}
        </Field>
        <NewPasswordField
          label="New password"
          control={form.register('newPassword', { required: 'Choose a new password.' })}
          error={form.fieldError('newPassword')}
        />
        {changed ? (
          <Callout tone="success" role="status">
            Password changed. All other sessions were signed out.
          </Callout>
        ) : null}
        <CoolDownNotice coolDown={coolDown} onEnd={coolDown.end} />
        <InlineError what="We couldn’t change your password" error={form.error} />
        <div>
          <Button type="submit" variant="primary" loading={form.pending} disabledReason={coolDown.disabledReason}>
            Change password
          </Button>
        </div>
      </form>
      <div className="mt-4 grid gap-2.5 border-t pt-4">
        <p className="text-muted text-sm">Forgot your current password? We’ll email you a link to set a new one.</p>
        <EmailPasswordLink email={user.email} label="Email me a link" />
      </div>
    </>
  );
}
