'use client';

import { Command, useCommandState } from 'cmdk';
import {
  ArrowLeftRight,
  BookOpen,
  FolderKanban,
  Keyboard,
  LogOut,
  Moon,
  Plus,
  SquareTerminal,
  Sun,
} from 'lucide-react';
import { useRouter } from 'next/navigation';
import * as Radix from 'radix-ui/dialog';
import { useEffect, useRef, useState } from 'react';
import { leave } from '@/components/auth-session/leave';
import { useSwitchOrganization } from '@/components/orgs/use-switch-organization';
import { chooseTheme, useTheme } from '@/components/theme/use-theme';
import { cn } from '@/components/ui/cn';
import { overlayStyle } from '@/components/ui/dialog';
import { matchesWords } from './matches-words';
import {
  ACCOUNT_ITEMS,
  API_REFERENCE_PATH,
  DOCS_PATH,
  NAV_ITEMS,
  ORGANIZATION_ITEMS,
  organizationPath,
  projectPath,
} from './nav-items';
import { Group, Item } from './palette-item';
import { PaletteResults, useSearch } from './palette-results';
import type { NavigationScope } from './use-navigation-scope';

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

function Palette({ onOpenChange, scope, onNewProject, onNewOrganization, onHelp, takeTyped }: CommandPaletteProps) {
  const router = useRouter();
  const { projectId, organization, organizations } = scope;
  const [typed, setTyped] = useState('');
  const input = useRef<HTMLInputElement>(null);
  const isEntered = useRef(false);
  useEffect(() => {
    if (!isEntered.current || typed === '') return;
    isEntered.current = false;
    // The list selects its first match after this effect.
    setTimeout(() => input.current?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true })));
  }, [typed]);
  const { results, failed, isLoading } = useSearch(organization?.id, typed);
  const { isDark: dark } = useTheme();
  const run = (action: () => void) => () => {
    onOpenChange(false);
    action();
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
        {organization === undefined ? null : (
          <PaletteResults results={results} organizationId={organization.id} typed={typed} run={run} />
        )}
        {projectId === undefined ? null : (
          <Group heading="Pages">
            {NAV_ITEMS.map((item) => (
              <Item key={item.segment} onSelect={run(() => router.push(projectPath(projectId, item.segment)))}>
                <item.icon aria-hidden="true" />
                {item.label}
              </Item>
            ))}
          </Group>
        )}
        <Group heading="Projects">
          {organizations?.flatMap((organization) =>
            organization.projects.map((project) => (
              <Item
                key={project.id}
                value={`${organization.name} ${project.name} ${project.id}`}
                onSelect={run(() => router.push(projectPath(project.id, 'events')))}
              >
                <FolderKanban aria-hidden="true" />
                <span className="truncate">{project.name}</span>
                <span className="ml-auto truncate text-muted text-xs">{organization.name}</span>
              </Item>
            )),
          )}
          <Item onSelect={run(onNewProject)}>
            <Plus aria-hidden="true" />
            New project
          </Item>
        </Group>
        <PaletteOrganizations scope={scope} run={run} onNewOrganization={onNewOrganization} />
        <Group heading="Account">
          {ACCOUNT_ITEMS.map((item) => (
            <Item key={item.path} onSelect={run(() => router.push(item.path))}>
              <item.icon aria-hidden="true" />
              {item.label}
            </Item>
          ))}
          <Item onSelect={run(() => router.push('/device'))}>
            <SquareTerminal aria-hidden="true" />
            Approve a device code
          </Item>
        </Group>
        <Group heading="Documentation">
          <Item onSelect={run(() => router.push(DOCS_PATH))}>
            <BookOpen aria-hidden="true" />
            Guides
          </Item>
          <Item onSelect={run(() => router.push(API_REFERENCE_PATH))}>
            <BookOpen aria-hidden="true" />
            API reference
          </Item>
          <Item onSelect={run(() => router.push('/docs/errors'))}>
            <BookOpen aria-hidden="true" />
            Error codes
          </Item>
        </Group>
        <Group heading="Commands">
          <Item onSelect={run(() => chooseTheme(dark ? 'light' : 'dark'))}>
            {dark ? <Sun aria-hidden="true" /> : <Moon aria-hidden="true" />}
            {dark ? 'Light theme' : 'Dark theme'}
          </Item>
          <Item onSelect={run(onHelp)}>
            <Keyboard aria-hidden="true" />
            Keyboard shortcuts
          </Item>
          <Item onSelect={run(leave)}>
            <LogOut aria-hidden="true" />
            Sign out
          </Item>
        </Group>
      </Command.List>
      <PaletteStatus failed={failed} isLoading={isLoading} />
    </Command>
  );
}

/** Below the list and not in it: a list may contain options only. */
function PaletteStatus({ failed, isLoading }: { failed: boolean; isLoading: boolean }) {
  const count = useCommandState((state) => state.filtered.count);
  const text = failed
    ? 'The search failed. Pages and commands are still listed.'
    : isLoading
      ? 'Searching…'
      : count === 0
        ? 'No results. Paste a full ID, or type part of a name or URL.'
        : null;
  return (
    <p role="status" className={cn('text-center text-muted text-sm', text !== null && 'border-t px-3 py-3')}>
      {text}
    </p>
  );
}

/** The pages of the current organization, and entries that switch to others. */
function PaletteOrganizations({
  scope: { organization, organizations },
  run,
  onNewOrganization,
}: {
  scope: NavigationScope;
  /** Closes the palette, then runs the action. */
  run: (action: () => void) => () => void;
  onNewOrganization: () => void;
}) {
  const router = useRouter();
  const { switchTo } = useSwitchOrganization();
  const others = organizations?.filter(({ id }) => id !== organization?.id) ?? [];
  return (
    <Group heading="Organization">
      {organization === undefined
        ? null
        : ORGANIZATION_ITEMS.map((item) => (
            <Item
              key={item.segment}
              value={`Organization ${item.label}`}
              onSelect={run(() => router.push(organizationPath(organization.id, item.segment)))}
            >
              <item.icon aria-hidden="true" />
              {item.label}
              <span className="ml-auto truncate text-muted text-xs">{organization.name}</span>
            </Item>
          ))}
      {others.map(({ id, name }) => (
        <Item key={id} value={`Switch to ${name} ${id}`} onSelect={run(() => void switchTo(id))}>
          <ArrowLeftRight aria-hidden="true" />
          <span className="truncate">Switch to {name}</span>
        </Item>
      ))}
      <Item onSelect={run(onNewOrganization)}>
        <Plus aria-hidden="true" />
        New organization
      </Item>
    </Group>
  );
}
