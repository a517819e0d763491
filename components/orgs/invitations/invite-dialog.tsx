'use client';

import { useEffect, useRef, useState } from 'react';
import { CoolDownNotice, useCoolDown } from '@/components/auth/cool-down';
import { ApiError } from '@/components/auth-session/api-error';
import { DialogForm } from '@/components/form/form-fields';
import { useApiForm } from '@/components/form/use-api-form';
import { ROLE_OPTIONS } from '@/components/orgs/role-labels';
import type { Role } from '@/components/projects/role-disabled-reason';
import { Button } from '@/components/ui/button';
import { cn } from '@/components/ui/cn';
import { CopyValue } from '@/components/ui/copy-button';
import { Dialog, DialogActions } from '@/components/ui/dialog';
import { Field } from '@/components/ui/field';
import { InlineError } from '@/components/ui/inline-error';
import { Input } from '@/components/ui/input';
import { LocalUrlNote } from '@/components/ui/local-url-note';
import { Skeleton } from '@/components/ui/skeleton';
import { toast } from '@/components/ui/toast';
import { mayManage } from '@/lib/orgs/permissions-policy';
import type { CreatedInvitation, Invitation, InvitationLink } from '@/lib/orgs/schema';

/** Sends an invitation to an email address. */
export function InviteDialog({
  mine,
  invite,
  onUnsent,
  onClose,
}: {
  mine: Role | undefined;
  invite: (body: { email: string; role: Role }) => Promise<CreatedInvitation>;
  /** No email was sent. */
  onUnsent: (invitation: CreatedInvitation) => void;
  onClose: () => void;
}) {
  const coolDown = useCoolDown();
  const form = useApiForm<{ email: string; role: Role }>({
    defaultValues: { email: '', role: 'DEVELOPER' },
    send: async (values) => {
      await coolDown.attempt(async () => {
        const invitation = await invite(values);
        onClose();
        if (invitation.isEmailed) toast.success(`Invitation emailed to ${invitation.email}.`);
        else onUnsent(invitation);
      });
    },
  });
  const isMember = form.error instanceof ApiError && form.error.code === 'conflict';
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Invite a member"
      description="The invitation works once, only for this address, and expires in 7 days."
    >
      <DialogForm
        form={isMember ? { ...form, error: null } : form}
        label="Invite"
        failure="We couldn’t invite this person"
        disabledReason={coolDown.disabledReason}
      >
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
      </DialogForm>
    </Dialog>
  );
}

/** The roles and their permissions. A role that cannot be assigned says why. */
function RoleChoice({
  mine,
  value,
  onChange,
}: {
  mine: Role | undefined;
  value: Role;
  onChange: (role: Role) => void;
}) {
  return (
    <fieldset className="grid gap-1.5">
      <legend className="mb-1.5 font-medium text-sm">Role</legend>
      {ROLE_OPTIONS.map(({ value: role, label, description }) => {
        const isRefused = mine !== undefined && !mayManage(mine, 'invitation.manage', { to: role });
        return (
          <label
            key={role}
            className={cn(
              'flex items-start gap-2.5 rounded-md border px-3 py-2 text-sm has-focus-visible:outline-2 has-focus-visible:outline-accent-text has-focus-visible:outline-offset-2',
              role === value && 'border-accent bg-accent-subtle',
              isRefused ? 'cursor-not-allowed text-muted' : 'cursor-pointer',
            )}
          >
            <input
              type="radio"
              name="role"
              value={role}
              checked={role === value}
              aria-disabled={isRefused || undefined}
              onChange={() => {
                if (!isRefused) onChange(role);
              }}
              className="mt-0.5 size-4 shrink-0 accent-accent outline-none"
            />
            <span className="min-w-0">
              <span className="block font-medium">{label}</span>
              <span className="block text-muted">{isRefused ? 'Only an owner can invite owners.' : description}</span>
            </span>
          </label>
        );
      })}
    </fieldset>
  );
}

/** Makes a link to an invitation and shows it to copy. */
export function InvitationLinkDialog({
  invitation,
  reason,
  makeLink,
  onClose,
}: {
  invitation: Invitation;
  /** Why the person needs the link; shown first. */
  reason: string | null;
  makeLink: (invitationId: string) => Promise<InvitationLink>;
  onClose: () => void;
}) {
  const [url, setUrl] = useState<string | null>(null);
  const [error, setError] = useState<unknown>(null);
  const isMade = useRef(false);
  useEffect(() => {
    // Each link ends the one before, so one is made.
    if (isMade.current) return;
    isMade.current = true;
    makeLink(invitation.id).then((made) => setUrl(made.url), setError);
  }, [invitation.id, makeLink]);
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Invitation link"
      description={`${reason ?? ''} Only ${invitation.email} can accept with it, once, within 7 days of the invitation.`.trim()}
    >
      {error === null ? (
        <div className="grid gap-3">
          {url === null ? <Skeleton className="h-15 w-full" /> : <CopyValue label="Link" value={url} />}
          {url === null ? null : <LocalUrlNote url={url} others="the person" />}
          <p className="text-muted text-sm">
            The link isn’t shown again. A new link replaces it. A link in an email keeps working.
          </p>
        </div>
      ) : (
        <InlineError what="We couldn’t create the link" error={error} />
      )}
      <DialogActions>
        <Button onClick={onClose}>Done</Button>
      </DialogActions>
    </Dialog>
  );
}
