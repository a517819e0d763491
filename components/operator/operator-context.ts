'use client';

import { createContext, useContext } from 'react';
import type { RequestOptions } from '@/components/auth-session/request';

export interface Operator {
  /** Sends a request below /api/v1/admin. A rejected token leads back to the token form. */
  send: (path: string, options?: RequestOptions) => Promise<unknown>;
}

export const OperatorContext = createContext<Operator | null>(null);

/** Returns what sends requests with the operator's token, without exposing the token. */
export function useOperator(): Operator {
  const operator = useContext(OperatorContext);
  if (operator === null) throw new Error('useOperator outside OperatorPage');
  return operator;
}
