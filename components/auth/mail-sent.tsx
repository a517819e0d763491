'use client';

import { createContext, type ReactNode, useContext } from 'react';

const MailSent = createContext(true);

/** Tells pages whether this server sends email, or saves it to files for whoever runs it. */
export function MailSentProvider({ value, children }: { value: boolean; children: ReactNode }) {
  return <MailSent value={value}>{children}</MailSent>;
}

export const useIsMailSent = () => useContext(MailSent);
