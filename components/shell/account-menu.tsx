'use client';

import { LogOut, MailCheck } from 'lucide-react';
import Link from 'next/link';
import { describeError } from '@/components/auth-session/api-error';
import { apiFetch } from '@/components/auth-session/api-fetch';
import { signOut } from '@/components/auth-session/session';
import { useSession } from '@/components/auth-session/use-session';
import { useMe } from '@/components/projects/use-projects';
import { Menu, MenuContent, MenuItem, MenuSeparator, MenuTrigger } from '@/components/ui/dropdown-menu';
import { toast } from '@/components/ui/toast';
import { ACCOUNT_ITEMS } from './nav-items';
import { ThemeChoice } from './theme-choice';

/** The menu of the signed-in person: account pages, theme and sign-out. */
export function AccountMenu() {
  const session = useSession();
  const { data: me } = useMe();
  // The response has changes that were made after sign-in; the session does not.
  const user = me?.user ?? session.user;
  const leave = () =>
    void signOut().catch(() =>
      toast.error('You are signed out here, but the server did not confirm that the session is closed.'),
    );
  return (
    <Menu>
      <MenuTrigger
        aria-label="Account"
        className="flex size-8 items-center justify-center rounded-full bg-accent-subtle font-semibold text-accent-text text-xs hover:ring-2 hover:ring-border"
      >
        {initialsOf(user.name ?? user.email)}
      </MenuTrigger>
      <MenuContent align="end" className="w-60">
        <div className="px-2 py-1.5">
          {user.name ? <p className="truncate font-medium text-sm">{user.name}</p> : null}
          <p className="truncate text-muted text-xs">{user.email}</p>
        </div>
        <MenuSeparator />
        {ACCOUNT_ITEMS.map((item) => (
          <MenuItem key={item.path} asChild>
            <Link href={item.path} prefetch={false}>
              <item.icon aria-hidden="true" />
              {item.label}
            </Link>
          </MenuItem>
        ))}
        <ConfirmAddress />
        <MenuSeparator />
        <ThemeChoice />
        <MenuSeparator />
        <MenuItem onSelect={leave}>
          <LogOut aria-hidden="true" />
          Sign out
        </MenuItem>
      </MenuContent>
    </Menu>
  );
}

/** Resends the confirmation email while the address is not confirmed. */
function ConfirmAddress() {
  const { data: me } = useMe();
  if (me === undefined || me.user.emailVerified) return null;
  const send = () =>
    void apiFetch('/auth/resend-verification', { method: 'POST' }).then(
      () => toast.success(`We sent a new link to ${me.user.email}.`),
      (error: unknown) => toast.error(describeError(error).detail),
    );
  return (
    <MenuItem onSelect={send}>
      <MailCheck aria-hidden="true" />
      Resend confirmation email
    </MenuItem>
  );
}

/** Returns initials: "Ada Lovelace" → "AL", "ada@example.com" → "A". */
function initialsOf(name: string): string {
  const words =
    name
      .split('@')[0]
      ?.split(/[\s._-]+/)
      .filter(Boolean) ?? [];
  const letters = [words[0], words.length > 1 ? words.at(-1) : undefined].map((word) => word?.[0] ?? '');
  return letters.join('').toUpperCase() || '?';
}
