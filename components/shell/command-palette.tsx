'use client';

import { Command, useCommandState } from 'cmdk';
import {
  ArrowLeftRight,
  BookOpen,
  FileSearch,
  FolderKanban,
  Keyboard,
  LogOut,
  type LucideIcon,
  Moon,
  Plus,
  Search,
  SquareTerminal,
  Sun,
} from 'lucide-react';
import { useRouter } from 'next/navigation';
import * as Radix from 'radix-ui/dialog';
import { useEffect, useRef, useState } from 'react';
import { leave } from '@/components/auth-session/session';
import { useSwitchOrganization } from '@/components/orgs/use-organization';
import { chooseTheme, useTheme } from '@/components/theme/use-theme';
import { cn } from '@/components/ui/cn';
import { overlayStyle } from '@/components/ui/panel';
import { matchesWords } from './matches-words';
import {
  ACCOUNT_ITEMS,
  API_REFERENCE_PATH,
  DOCS_PATH,
  NAV_ITEMS,
  organizationItems,
  organizationPath,
  projectPath,
} from './nav-items';
import { refuseOffline } from './offline-bar';
import type { NavigationScope } from './use-navigation-scope';
import { KIND_LABELS, resultPath, useSearch } from './use-search';

interface CommandPaletteProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  scope: NavigationScope;
  onNewProject: () => void;
  onNewOrganization: () => void;
  onHelp: () => void;
  /** Returns what was typed before the field had the focus, with a line break where Enter was pressed. */
  takeTyped: () => string;
}

/** Finds pages, projects and commands by name, and what the organization has by id, URL or name. */
export function CommandPalette(props: CommandPaletteProps) {
  return (
    <Radix.Root open={props.open} onOpenChange={props.onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className={overlayStyle} />
        <Radix.Content
          aria-describedby={undefined}
          className="fixed top-[12vh] left-1/2 z-50 w-[calc(100vw-2rem)] max-w-lg -translate-x-1/2 animate-enter overflow-hidden rounded-xl bg-surface shadow-floating"
        >
          <Radix.Title className="sr-only">Search or jump to</Radix.Title>
          <Palette {...props} />
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

interface Entry {
  icon: LucideIcon;
  label: string;
  /** At the end of its line. */
  detail?: string;
  /** The text to search, when the label is not enough. */
  value?: string;
  /** What it opens or does. */
  action: string | (() => void);
}

/** Returns all entries but what a search finds, by group. */
function useEntries({ scope, onNewProject, onNewOrganization, onHelp }: CommandPaletteProps): [string, Entry[]][] {
  const { projectId, organization, organizations = [] } = scope;
  const { switchTo } = useSwitchOrganization();
  const { isDark } = useTheme();
  const pages = NAV_ITEMS.map(({ icon, label, segment }) => ({
    icon,
    label,
    action: projectPath(projectId ?? '', segment),
  }));
  const projects = organizations.flatMap(({ name: detail, projects: own }) =>
    own.map(({ id, name }) => ({
      icon: FolderKanban,
      label: name,
      detail,
      value: `${detail} ${name} ${id}`,
      action: projectPath(id, 'events'),
    })),
  );
  const organizationPages = organizationItems(organization?.role).map(({ icon, label, segment }) => ({
    icon,
    label,
    detail: organization?.name ?? '',
    value: `Organization ${label}`,
    action: organizationPath(organization?.id ?? '', segment),
  }));
  const others = organizations.filter(({ id }) => id !== organization?.id);
  return [
    ['Pages', projectId === undefined ? [] : pages],
    ['Projects', [...projects, { icon: Plus, label: 'New project', action: onNewProject }]],
    [
      'Organization',
      [
        ...(organization === undefined ? [] : organizationPages),
        ...others.map(({ id, name }) => ({
          icon: ArrowLeftRight,
          label: `Switch to ${name}`,
          value: `Switch to ${name} ${id}`,
          action: () => void switchTo(id),
        })),
        { icon: Plus, label: 'New organization', action: onNewOrganization },
      ],
    ],
    [
      'Account',
      [
        ...ACCOUNT_ITEMS.map(({ icon, label, path }) => ({ icon, label, action: path })),
        { icon: SquareTerminal, label: 'Approve a device code', action: '/device' },
      ],
    ],
    [
      'Documentation',
      [
        { icon: BookOpen, label: 'Guides', action: DOCS_PATH },
        { icon: BookOpen, label: 'API reference', action: API_REFERENCE_PATH },
        { icon: BookOpen, label: 'Error codes', action: '/docs/errors' },
      ],
    ],
    [
      'Commands',
      [
        {
          icon: isDark ? Sun : Moon,
          label: isDark ? 'Light theme' : 'Dark theme',
          action: () => chooseTheme(isDark ? 'light' : 'dark'),
        },
        { icon: Keyboard, label: 'Keyboard shortcuts', action: onHelp },
        { icon: LogOut, label: 'Sign out', action: leave },
      ],
    ],
  ];
}

function Palette(props: CommandPaletteProps) {
  const { onOpenChange, scope, takeTyped } = props;
  const router = useRouter();
  const [typed, setTyped] = useState('');
  const input = useRef<HTMLInputElement>(null);
  const isEntered = useRef(false);
  useEffect(() => {
    if (!isEntered.current || typed === '') return;
    isEntered.current = false;
    // The list selects its first match after this effect.
    setTimeout(() => input.current?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true })));
  }, [typed]);
  const organizationId = scope.organization?.id;
  const { results, failed, isLoading } = useSearch(organizationId, typed);
  const found = results.map((result): Entry => {
    const { kind, id, title, projectName } = result;
    return {
      icon: Search,
      label: title,
      detail: KIND_LABELS[kind] + (projectName === null || kind === 'project' ? '' : ` · ${projectName}`),
      // The server has matched it: the filter of the palette must keep it.
      value: `${typed} ${kind} ${id}`,
      action: resultPath(result, organizationId ?? ''),
    };
  });
  const entries = useEntries(props);
  const looked = typed.trim();
  // Not before the results: what is selected first stays selected.
  const looksInData = scope.projectId !== undefined && looked.length > 1 && !isLoading;
  if (looksInData) {
    entries.push([
      'Events',
      [
        {
          icon: FileSearch,
          label: `Look for “${looked}” in the data of events`,
          value: `${typed} data of events`,
          action: `${projectPath(scope.projectId ?? '', 'events')}?${new URLSearchParams({ q: looked })}`,
        },
      ],
    ]);
  }
  const follow = (action: Entry['action']) => {
    onOpenChange(false);
    if (typeof action !== 'string') action();
    else if (!refuseOffline()) router.push(action);
  };
  return (
    <Command label="Search or jump to" loop filter={(value, search) => Number(matchesWords(value, search))}>
      <Command.Input
        value={typed}
        onValueChange={setTyped}
        ref={input}
        onFocus={() => {
          const [before = '', ...rest] = takeTyped().split('\n');
          isEntered.current = rest.length > 0;
          setTyped((now) => before + now);
        }}
        placeholder="Search or jump to…"
        className="h-12 w-full border-b bg-transparent px-4 text-base outline-none placeholder:text-muted max-sm:text-[1rem]"
      />
      <Command.List className="max-h-80 overflow-y-auto p-1.5">
        {[['Found', found] as const, ...entries].map(([heading, group]) =>
          group.length === 0 ? null : (
            <Command.Group
              key={heading}
              heading={heading}
              className="[&_[cmdk-group-heading]]:px-2.5 [&_[cmdk-group-heading]]:pt-2 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:font-medium [&_[cmdk-group-heading]]:text-muted [&_[cmdk-group-heading]]:text-xs"
            >
              {group.map(({ icon: Icon, label, detail, value = label, action }) => (
                <Command.Item
                  key={value}
                  value={value}
                  onSelect={() => follow(action)}
                  className="flex h-9 cursor-default select-none items-center gap-2.5 rounded-md px-2.5 text-sm data-[selected=true]:bg-sunken [&_svg]:size-4 [&_svg]:shrink-0 [&_svg]:text-muted"
                >
                  <Icon aria-hidden="true" />
                  <span className="truncate">{label}</span>
                  {detail === undefined ? null : (
                    <span className="ml-auto max-w-1/2 shrink-0 truncate text-muted text-xs">{detail}</span>
                  )}
                </Command.Item>
              ))}
            </Command.Group>
          ),
        )}
      </Command.List>
      <PaletteStatus failed={failed} isLoading={isLoading} always={looksInData ? 1 : 0} />
    </Command>
  );
}

interface PaletteStatusProps {
  failed: boolean;
  isLoading: boolean;
  /** Entries that every text finds. */
  always: number;
}

/** Below the list and not in it: a list may contain options only. */
function PaletteStatus({ failed, isLoading, always }: PaletteStatusProps) {
  const count = useCommandState((state) => state.filtered.count);
  const text = failed
    ? 'The search failed. Pages and commands are still listed.'
    : isLoading
      ? 'Searching…'
      : count === always
        ? `${always === 0 ? 'No results.' : 'Nothing has this as its name or ID.'} Paste an ID or an idempotency key, or type part of a name, URL or description.`
        : null;
  return (
    <p role="status" className={cn('text-center text-muted text-sm', text !== null && 'border-t px-3 py-3')}>
      {text}
    </p>
  );
}
