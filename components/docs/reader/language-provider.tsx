'use client';

import { type ReactNode, useEffect, useMemo, useState } from 'react';
import { LanguageContext } from './language-context';

const STORAGE_KEY = 'eds-docs-language';

/** Keeps the chosen language of examples in this browser. */
export function LanguageProvider({ initial, children }: { initial: string; children: ReactNode }) {
  const [language, setLanguage] = useState(initial);
  useEffect(() => setLanguage((present) => read() ?? present), []);
  const choice = useMemo(
    () => ({
      language,
      choose: (next: string) => {
        write(next);
        setLanguage(next);
      },
    }),
    [language],
  );
  return <LanguageContext value={choice}>{children}</LanguageContext>;
}

function read(): string | null {
  try {
    return window.localStorage.getItem(STORAGE_KEY);
  } catch {
    return null;
  }
}

function write(language: string): void {
  try {
    window.localStorage.setItem(STORAGE_KEY, language);
  } catch {
    // Without storage the choice lasts until the page is closed.
  }
}
