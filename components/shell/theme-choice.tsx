'use client';

import { Monitor, Moon, Sun } from 'lucide-react';
import { useTheme } from 'next-themes';
import { MenuLabel, MenuRadioGroup, MenuRadioItem } from '@/components/ui/dropdown-menu';

const THEMES = [
  { value: 'system', label: 'System', icon: Monitor },
  { value: 'light', label: 'Light', icon: Sun },
  { value: 'dark', label: 'Dark', icon: Moon },
];

/** The part of a menu that chooses the theme. */
export function ThemeChoice() {
  const { theme, setTheme } = useTheme();
  return (
    <>
      <MenuLabel>Theme</MenuLabel>
      <MenuRadioGroup value={theme ?? 'system'} onValueChange={setTheme}>
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
