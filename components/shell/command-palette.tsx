'use client';

import { Command } from 'cmdk';
import { BookOpen, FolderKanban, Keyboard, LogOut, Moon, Plus, SquareTerminal, Sun } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useTheme } from 'next-themes';
import { Dialog as Radix } from 'radix-ui';
import { signOut } from '@/components/auth-session/session';
import { overlayStyle } from '@/components/ui/dialog';
import { matchesWords } from './matches-words';
import { ACCOUNT_ITEMS, DOCS_PATH, NAV_ITEMS, projectPath } from './nav-items';
import { Group, Item } from './palette-item';
import { PaletteOrganizations } from './palette-organizations';
import type { NavigationScope } from './use-navigation-scope';

export interface CommandPaletteProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  scope: NavigationScope;
  onNewProject: () => void;
  onNewOrganization: () => void;
  onHelp: () => void;
}

/** Finds pages, projects and commands by name. */
export function CommandPalette(props: CommandPaletteProps) {
  return (
    <Radix.Root open={props.open} onOpenChange={props.onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className={overlayStyle} />
        <Radix.Content
          aria-describedby={undefined}
          className="fixed top-[12vh] left-1/2 z-50 w-[calc(100vw-2rem)] max-w-lg -translate-x-1/2 animate-enter overflow-hidden rounded-xl bg-surface shadow-floating"
        >
          <Radix.Title className="sr-only">Go to</Radix.Title>
          <Palette {...props} />
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

function Palette({ onOpenChange, scope, onNewProject, onNewOrganization, onHelp }: CommandPaletteProps) {
  const router = useRouter();
  const { projectId, organizations } = scope;
  const { resolvedTheme, setTheme } = useTheme();
  const dark = resolvedTheme === 'dark';
  const run = (action: () => void) => () => {
    onOpenChange(false);
    action();
  };
  return (
    <Command label="Go to" loop filter={(value, search) => Number(matchesWords(value, search))}>
      <Command.Input
        placeholder="Search pages, projects and commands"
        className="h-12 w-full border-b bg-transparent px-4 text-base outline-none placeholder:text-muted max-sm:text-[1rem]"
      />
      <Command.List className="max-h-80 overflow-y-auto p-1.5">
        <Command.Empty className="px-3 py-8 text-center text-muted text-sm">No results.</Command.Empty>
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
            API reference
          </Item>
          <Item onSelect={run(() => router.push('/docs/errors'))}>
            <BookOpen aria-hidden="true" />
            Error codes
          </Item>
        </Group>
        <Group heading="Commands">
          <Item onSelect={run(() => setTheme(dark ? 'light' : 'dark'))}>
            {dark ? <Sun aria-hidden="true" /> : <Moon aria-hidden="true" />}
            {dark ? 'Light theme' : 'Dark theme'}
          </Item>
          <Item onSelect={run(onHelp)}>
            <Keyboard aria-hidden="true" />
            Keyboard shortcuts
          </Item>
          <Item onSelect={run(() => void signOut().catch(() => {}))}>
            <LogOut aria-hidden="true" />
            Sign out
          </Item>
        </Group>
      </Command.List>
    </Command>
  );
}
