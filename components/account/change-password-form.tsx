'use client';

import { useState } from 'react';
import { CoolDownNotice } from '@/components/auth/cool-down-notice';
import { useCoolDown } from '@/components/auth/use-cool-down';
import { apiFetch } from '@/components/auth-session/api-fetch';
import { useApiForm } from '@/components/form/use-api-form';
import { Button } from '@/components/ui/button';
import { Callout } from '@/components/ui/callout';
import { Field } from '@/components/ui/field';
import { InlineError } from '@/components/ui/inline-error';
import { PasswordInput } from '@/components/ui/password-input';
import type { User } from '@/lib/accounts/schema';
import { MailPasswordLink } from './mail-password-link';

const EMPTY = { currentPassword: '', newPassword: '' };

/** The new password against the current one. A wrong current one counts as a failed sign-in. */
export function ChangePasswordForm({ user }: { user: User }) {
  const { coolDown, handleRefusal, end } = useCoolDown();
  const [changed, setChanged] = useState(false);
  const form = useApiForm({
    defaultValues: EMPTY,
    send: async (values) => {
      end();
      setChanged(false);
      try {
        await apiFetch('/auth/change-password', { method: 'POST', body: values });
        form.reset(EMPTY);
        setChanged(true);
      } catch (error) {
        if (!handleRefusal(error)) throw error;
      }
    },
  });
  return (
    <>
      <form method="post" noValidate onSubmit={form.submit} className="grid gap-4">
        {/* Tells a password manager whose password this is. */}
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
        <Field
          label="New password"
          error={form.fieldError('newPassword')}
          hint="Long beats complicated: a few unrelated words do well."
        >
          {(control) => (
            <PasswordInput
              {...control}
              {...form.register('newPassword', { required: 'Choose a new password.' })}
              autoComplete="new-password"
            />
          )}
        </Field>
        {changed ? (
          <Callout tone="success" role="status">
            Your password is changed. Every other session is signed out.
          </Callout>
        ) : null}
        {coolDown ? <CoolDownNotice coolDown={coolDown} onEnd={end} /> : null}
        <InlineError what="Your password could not be changed" error={form.error} />
        <div>
          <Button
            type="submit"
            variant="primary"
            loading={form.pending}
            disabledReason={coolDown === null ? undefined : 'Wait until the time has passed'}
          >
            Change password
          </Button>
        </div>
      </form>
      <div className="mt-4 grid gap-2.5 border-t pt-4">
        <p className="text-muted text-sm">Forgot the current one? A link in a mail sets a new one without it.</p>
        <MailPasswordLink email={user.email} label="Mail me a link" />
      </div>
    </>
  );
}
