'use client';

import { Check } from 'lucide-react';
import type { Menu as RadixMenu } from 'radix-ui/internal';
import {
  type ComponentProps,
  createContext,
  type ReactNode,
  type RefObject,
  useContext,
  useId,
  useRef,
  useState,
} from 'react';
import { cn } from './cn';
import { lazyPart, preload, useLazyPart } from './lazy-part';
import { Slot } from './slot';

/** What shows an open menu. Loaded when a person first reaches for one. */
export const menuParts = lazyPart(() => import('./menu-parts'));

interface MenuState {
  isOpen: boolean;
  setOpen: (open: boolean) => void;
  trigger: RefObject<HTMLButtonElement | null>;
  triggerId: string;
  contentId: string;
  /** Whether a key opened the menu, which then starts on its first item. */
  byKeyboard: RefObject<boolean>;
}

const MenuContext = createContext<MenuState | null>(null);

function useMenu(): MenuState {
  const menu = useContext(MenuContext);
  if (menu === null) throw new Error('A part of a menu is outside Menu.');
  return menu;
}

/** Returns the loaded parts: only an open menu renders items. */
function useParts(): typeof RadixMenu {
  const parts = menuParts.get();
  if (parts === null) throw new Error('A menu item is outside MenuContent.');
  return parts.Menu;
}

/** Not modal: a modal menu hides the page from screen readers while its controls can still be focused. */
export function Menu({ children }: { children: ReactNode }) {
  const [isWanted, setOpen] = useState(false);
  const isOpen = useLazyPart(menuParts, isWanted) !== null && isWanted;
  const trigger = useRef<HTMLButtonElement>(null);
  const byKeyboard = useRef(false);
  const id = useId();
  const state = { isOpen, setOpen, trigger, byKeyboard, triggerId: `${id}-button`, contentId: `${id}-menu` };
  return <MenuContext.Provider value={state}>{children}</MenuContext.Provider>;
}

/** The button that opens a menu. `asChild` makes its child that button. */
export function MenuTrigger({ asChild = false, ...rest }: ComponentProps<'button'> & { asChild?: boolean }) {
  const { isOpen, setOpen, trigger, triggerId, contentId, byKeyboard } = useMenu();
  const Element = asChild ? Slot : 'button';
  const open = (withKeyboard: boolean) => {
    byKeyboard.current = withKeyboard;
    setOpen(true);
  };
  return (
    <Element
      type="button"
      id={triggerId}
      aria-haspopup="menu"
      aria-expanded={isOpen}
      aria-controls={isOpen ? contentId : undefined}
      data-state={isOpen ? 'open' : 'closed'}
      {...rest}
      ref={trigger}
      onPointerEnter={() => preload(menuParts)}
      onFocus={() => preload(menuParts)}
      onPointerDown={(event) => {
        if (event.button !== 0 || event.ctrlKey) return;
        if (isOpen) return setOpen(false);
        // Keeps the focus from moving to the button after the menu took it.
        event.preventDefault();
        open(false);
      }}
      onKeyDown={(event) => {
        if (!['Enter', ' ', 'ArrowDown'].includes(event.key)) return;
        event.preventDefault();
        if (isOpen && event.key !== 'ArrowDown') setOpen(false);
        else open(true);
      }}
    />
  );
}

type ContentProps = Pick<ComponentProps<typeof RadixMenu.Content>, 'align' | 'className' | 'children'>;

export function MenuContent(props: ContentProps) {
  const menu = useMenu();
  return menuParts.get() === null ? null : <LoadedContent {...props} {...menu} />;
}

function LoadedContent({
  className,
  isOpen,
  setOpen,
  trigger,
  triggerId,
  contentId,
  byKeyboard,
  ...rest
}: ContentProps & MenuState) {
  const Radix = useParts();
  const usedPageOutside = useRef(false);
  return (
    <Radix.Root open={isOpen} onOpenChange={setOpen} modal={false}>
      <Radix.Anchor virtualRef={trigger as RefObject<HTMLButtonElement>} />
      <Radix.Portal>
        <Radix.Content
          id={contentId}
          aria-labelledby={triggerId}
          sideOffset={6}
          collisionPadding={8}
          {...rest}
          onEntryFocus={(event) => {
            event.preventDefault();
            if (byKeyboard.current) focusFirstItem(contentId);
          }}
          onInteractOutside={() => {
            usedPageOutside.current = true;
          }}
          onCloseAutoFocus={(event) => {
            if (!usedPageOutside.current) trigger.current?.focus();
            usedPageOutside.current = false;
            event.preventDefault();
          }}
          className={cn(
            'z-50 max-h-(--radix-popper-available-height) min-w-48 max-w-[calc(100vw-1rem)] animate-enter overflow-y-auto rounded-lg bg-surface p-1 shadow-floating',
            className,
          )}
        />
      </Radix.Portal>
    </Radix.Root>
  );
}

function focusFirstItem(contentId: string): void {
  document.getElementById(contentId)?.querySelector<HTMLElement>('[role^="menuitem"]:not([data-disabled])')?.focus();
}

const itemStyle =
  'flex min-h-8 cursor-default select-none items-center gap-2 rounded-md px-2 py-1 text-sm outline-none data-highlighted:bg-sunken data-disabled:opacity-55 [&_svg]:size-4 [&_svg]:shrink-0';

export interface MenuItemProps extends ComponentProps<typeof RadixMenu.Item> {
  tone?: 'danger';
  /** Why the item is disabled; shown below it. */
  disabledReason?: string | undefined;
}

export function MenuItem({ className, tone, disabledReason, children, ...rest }: MenuItemProps) {
  const Radix = useParts();
  if (disabledReason !== undefined) {
    return (
      <Radix.Item
        aria-disabled="true"
        onSelect={(event) => event.preventDefault()}
        className={cn(itemStyle, 'text-muted', className)}
      >
        <span className="grid">
          <span className="flex items-center gap-2">{children}</span>
          <span className="max-w-56 text-xs">{disabledReason}</span>
        </span>
      </Radix.Item>
    );
  }
  return (
    <Radix.Item {...rest} className={cn(itemStyle, tone === 'danger' && 'text-danger-text', className)}>
      {children}
    </Radix.Item>
  );
}

export function MenuRadioGroup(props: ComponentProps<typeof RadixMenu.RadioGroup>) {
  const Radix = useParts();
  return <Radix.RadioGroup {...props} />;
}

export function MenuRadioItem({ value, children }: { value: string; children: ReactNode }) {
  const Radix = useParts();
  return (
    <Radix.RadioItem value={value} className={cn(itemStyle, 'relative pr-8')}>
      {children}
      <Radix.ItemIndicator className="absolute right-2">
        <Check aria-hidden="true" />
      </Radix.ItemIndicator>
    </Radix.RadioItem>
  );
}

export function MenuLabel({ children }: { children: ReactNode }) {
  const Radix = useParts();
  return <Radix.Label className="truncate px-2 pt-2 pb-1 font-medium text-muted text-xs">{children}</Radix.Label>;
}

export function MenuSeparator() {
  const Radix = useParts();
  return <Radix.Separator className="-mx-1 my-1 h-px bg-border" />;
}
