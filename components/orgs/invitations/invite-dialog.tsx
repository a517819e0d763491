'use client';

import { CoolDownNotice } from '@/components/auth/cool-down-notice';
import { useCoolDown } from '@/components/auth/use-cool-down';
import { ApiError } from '@/components/auth-session/api-error';
import { DialogSubmit } from '@/components/form/dialog-submit';
import { useApiForm } from '@/components/form/use-api-form';
import type { Role } from '@/components/projects/role-disabled-reason';
import { Dialog } from '@/components/ui/dialog';
import { Field } from '@/components/ui/field';
import { Input } from '@/components/ui/input';
import { toast } from '@/components/ui/toast';
import type { NewInvitation } from '@/lib/orgs/schema';
import { RoleChoice } from './role-choice';

interface InviteProps {
  mine: Role | undefined;
  invite: (body: { email: string; role: Role }) => Promise<NewInvitation>;
  /** The server does not send email. */
  onUnsent: (invitation: NewInvitation) => void;
}

/** Sends an invitation to an email address. */
export function InviteDialog({
  open,
  onOpenChange,
  ...rest
}: InviteProps & { open: boolean; onOpenChange: (open: boolean) => void }) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Invite a member"
      description="The invitation works once, only for this address, and expires in 7 days."
    >
      <InviteForm {...rest} onDone={() => onOpenChange(false)} />
    </Dialog>
  );
}

function InviteForm({ mine, invite, onUnsent, onDone }: InviteProps & { onDone: () => void }) {
  const coolDown = useCoolDown();
  const form = useApiForm<{ email: string; role: Role }>({
    defaultValues: { email: '', role: 'DEVELOPER' },
    send: async (values) => {
      coolDown.end();
      try {
        const invitation = await invite(values);
        onDone();
        if (invitation.isEmailed) toast.success(`Invitation emailed to ${invitation.email}.`);
        else onUnsent(invitation);
      } catch (error) {
        if (!coolDown.handleRefusal(error)) throw error;
      }
    },
  });
  const isMember = form.error instanceof ApiError && form.error.code === 'conflict';
  return (
    <form noValidate onSubmit={form.submit} className="grid gap-4">
      <Field label="Email" error={isMember ? 'This address already belongs to a member.' : form.fieldError('email')}>
        {(control) => (
          <Input
            {...control}
            {...form.register('email', { required: 'Enter an email address.' })}
            type="email"
            autoComplete="off"
            placeholder="colleague@example.com"
          />
        )}
      </Field>
      <RoleChoice mine={mine} value={form.watch('role')} onChange={(role) => form.setValue('role', role)} />
      <CoolDownNotice coolDown={coolDown} />
      <DialogSubmit
        label="Invite"
        failure="We couldn’t invite this person"
        error={isMember ? null : form.error}
        pending={form.pending}
        disabledReason={coolDown.disabledReason}
      />
    </form>
  );
}
