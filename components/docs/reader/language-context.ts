'use client';

import { createContext, use } from 'react';

/** The language of examples, for all examples of all pages. */
export interface LanguageChoice {
  language: string;
  choose: (language: string) => void;
}

export const LanguageContext = createContext<LanguageChoice | null>(null);

export function useLanguage(): LanguageChoice {
  const choice = use(LanguageContext);
  if (choice === null) throw new Error('useLanguage outside LanguageProvider');
  return choice;
}
