'use client';

import { LogOut, MailCheck, Monitor, Moon, Sun } from 'lucide-react';
import { describeError } from '@/components/auth-session/api-error';
import { apiFetch } from '@/components/auth-session/api-fetch';
import { leave } from '@/components/auth-session/session';
import { useSession } from '@/components/auth-session/use-session';
import { useMe } from '@/components/projects/use-projects';
import { chooseTheme, type Theme, useTheme } from '@/components/theme/use-theme';
import {
  Menu,
  MenuContent,
  MenuItem,
  MenuLabel,
  MenuRadioGroup,
  MenuRadioItem,
  MenuSeparator,
  MenuTrigger,
} from '@/components/ui/dropdown-menu';
import { Link } from '@/components/ui/link';
import { toast } from '@/components/ui/toast';
import { ACCOUNT_ITEMS } from './nav-items';

/** The menu of the signed-in person: account pages, theme and sign-out. */
export function AccountMenu() {
  const session = useSession();
  const { data: me } = useMe();
  // The response has changes that were made after sign-in; the session does not.
  const user = me?.user ?? session.user;
  const initials = initialsOf(user.name ?? user.email);
  return (
    <Menu>
      <MenuTrigger
        // Contains the initials, so that people who speak what they see can open it.
        aria-label={`Account ${initials}`}
        className="flex size-8 items-center justify-center rounded-full bg-accent-subtle font-semibold text-accent-text text-xs hover:ring-2 hover:ring-border"
      >
        {initials}
      </MenuTrigger>
      <MenuContent align="end" className="w-60">
        <div className="px-2 py-1.5">
          {/* A paragraph has a role, which a menu must not contain. */}
          {user.name ? <span className="block truncate font-medium text-sm">{user.name}</span> : null}
          <span className="block truncate text-muted text-xs">{user.email}</span>
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

const THEMES = [
  { value: 'system', label: 'System', icon: Monitor },
  { value: 'light', label: 'Light', icon: Sun },
  { value: 'dark', label: 'Dark', icon: Moon },
];

/** The part of a menu that chooses the theme. */
function ThemeChoice() {
  const { theme } = useTheme();
  return (
    <>
      <MenuLabel>Theme</MenuLabel>
      <MenuRadioGroup value={theme} onValueChange={(value) => chooseTheme(value as Theme)}>
        {THEMES.map(({ value, label, icon: Icon }) => (
          <MenuRadioItem key={value} value={value}>
            <Icon aria-hidden="true" />
            {label}
          </MenuRadioItem>
        ))}
      </MenuRadioGroup>
    </>
  );
}
