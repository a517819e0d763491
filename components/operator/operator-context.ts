'use client';

import { createContext, useContext } from 'react';
import type { RequestOptions } from '@/components/auth-session/request';

export interface Operator {
  /** One request below /api/v1/admin; a token that is no longer good leads back to the form. */
  send: (path: string, options?: RequestOptions) => Promise<unknown>;
}

export const OperatorContext = createContext<Operator | null>(null);

/** What acts with the operator's token, which itself is nowhere to be read. */
export function useOperator(): Operator {
  const operator = useContext(OperatorContext);
  if (operator === null) throw new Error('useOperator outside OperatorPage');
  return operator;
}
