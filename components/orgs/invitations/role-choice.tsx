'use client';

import { ROLE_OPTIONS } from '@/components/orgs/role-labels';
import type { Role } from '@/components/projects/role-disabled-reason';
import { cn } from '@/components/ui/cn';
import { mayManage } from '@/lib/orgs/permissions-policy';

/** The roles and their permissions. A role that cannot be assigned says why. */
export function RoleChoice({
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
