'use client';

import { CircleCheck, MailWarning } from 'lucide-react';
import { apiFetch } from '@/components/auth-session/api-fetch';
import { useApiForm } from '@/components/form/use-api-form';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { CopyableId } from '@/components/ui/copyable-id';
import { Field } from '@/components/ui/field';
import { InlineError } from '@/components/ui/inline-error';
import { Input } from '@/components/ui/input';
import { toast } from '@/components/ui/toast';
import type { User } from '@/lib/accounts/schema';
import { EmailRequestStatus } from './email-request-status';
import { useSendEmail } from './use-send-email';

/** Name, email address and id. Only the name can be changed. */
export function ProfileForm({ user, rename }: { user: User; rename: (name: string | null) => Promise<void> }) {
  const form = useApiForm({
    defaultValues: { name: user.name ?? '' },
    send: async (values) => {
      const name = values.name.trim();
      await rename(name === '' ? null : name);
      form.reset({ name });
      toast.success('Name saved.');
    },
  });
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <form noValidate onSubmit={form.submit} className="grid gap-3">
        <Field label="Name" optional error={form.fieldError('name')}>
          {(control) => (
            <div className="flex flex-wrap gap-2">
              <Input {...control} {...form.register('name')} autoComplete="name" className="min-w-48 flex-1" />
              <Button
                type="submit"
                className="h-9"
                loading={form.pending}
                disabledReason={form.formState.isDirty ? undefined : 'No changes to save'}
              >
                Save name
              </Button>
            </div>
          )}
        </Field>
        <InlineError what="We couldn’t save your name" error={form.error} />
      </form>
      <EmailStatus user={user} />
      <div>
        <p className="font-medium text-sm">Account ID</p>
        <CopyableId id={user.id} label="Copy account ID" className="mt-0.5 text-muted" />
      </div>
    </div>
  );
}

/** The email address of the account, whether it is confirmed, and a button to send the confirmation again. */
function EmailStatus({ user }: { user: User }) {
  return (
    <div>
      <p className="font-medium text-sm">Email address</p>
      <p className="mt-1 flex flex-wrap items-center gap-x-2.5 gap-y-1.5 text-sm">
        <span className="min-w-0 wrap-anywhere">{user.email}</span>
        {user.emailVerified ? (
          <Badge tone="success" icon={CircleCheck}>
            Confirmed
          </Badge>
        ) : (
          <Badge tone="warning" icon={MailWarning}>
            Not confirmed
          </Badge>
        )}
      </p>
      {user.emailVerified ? null : <SendAgain email={user.email} />}
    </div>
  );
}

function SendAgain({ email }: { email: string }) {
  const request = useSendEmail(() => apiFetch('/auth/resend-verification', { method: 'POST' }));
  return (
    <div className="mt-2 grid justify-items-start gap-3">
      <p className="text-muted text-sm">Open the link in the email we sent you to confirm your address.</p>
      <Button
        size="sm"
        loading={request.pending}
        disabledReason={request.coolDown.disabledReason}
        onClick={request.send}
      >
        Resend confirmation email
      </Button>
      <EmailRequestStatus request={request}>
        We sent a new link to {email}. It works once, expires in 24 hours, and replaces the previous link.
      </EmailRequestStatus>
    </div>
  );
}
