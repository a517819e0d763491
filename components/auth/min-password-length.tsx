'use client';

import { createContext, type ReactNode, useContext } from 'react';

const MinPasswordLength = createContext(0);

/** Tells the forms of the pages what the server requires of a new password: the characters that it must have. */
export function MinPasswordLengthProvider({ value, children }: { value: number; children: ReactNode }) {
  return <MinPasswordLength value={value}>{children}</MinPasswordLength>;
}

export function useMinPasswordLength(): number {
  return useContext(MinPasswordLength);
}
