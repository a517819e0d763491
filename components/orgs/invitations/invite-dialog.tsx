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
import type { Invitation } from '@/lib/orgs/schema';
import { RoleChoice } from './role-choice';

interface InviteProps {
  mine: Role | undefined;
  invite: (body: { email: string; role: Role }) => Promise<Invitation>;
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
      description="They get an email with a link that works once, for 7 days, and only for this address."
    >
      <InviteForm {...rest} onDone={() => onOpenChange(false)} />
    </Dialog>
  );
}

function InviteForm({ mine, invite, onDone }: InviteProps & { onDone: () => void }) {
  const coolDown = useCoolDown();
  const form = useApiForm<{ email: string; role: Role }>({
    defaultValues: { email: '', role: 'DEVELOPER' },
    send: async (values) => {
      coolDown.end();
      try {
        const { email } = await invite(values);
        toast.success(`Invitation sent to ${email}.`);
        onDone();
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
            {...form.register('email', { required: 'Enter the address to invite.' })}
            type="email"
            autoComplete="off"
            placeholder="colleague@example.com"
          />
        )}
      </Field>
      <RoleChoice mine={mine} value={form.watch('role')} onChange={(role) => form.setValue('role', role)} />
      <CoolDownNotice coolDown={coolDown} />
      <DialogSubmit
        label="Send invitation"
        failure="The invitation could not be sent"
        error={isMember ? null : form.error}
        pending={form.pending}
        disabledReason={coolDown.disabledReason}
      />
    </form>
  );
}
