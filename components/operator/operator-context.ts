'use client';

import { createContext, useContext } from 'react';
import { ApiError } from '@/components/auth-session/api-error';
import { type RequestOptions, sendRequest } from '@/components/auth-session/request';

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

const ADMIN_BASE = '/admin';
const WRONG_TOKEN = 'invalid_admin_token';

/** The characters a header can contain. A token with others cannot be valid. */
const SENDABLE = /^[\x21-\x7e]+$/;

/**
 * Sends a request to a path below /api/v1/admin, with the operator's token or without one.
 * @throws ApiError
 */
export function sendAsOperator(token: string | null, path: string, options: RequestOptions = {}): Promise<unknown> {
  if (token === null) return sendRequest(ADMIN_BASE + path, options);
  if (!SENDABLE.test(token)) {
    return Promise.reject(new ApiError({ status: 401, code: WRONG_TOKEN, detail: 'The token is invalid.' }));
  }
  return sendRequest(ADMIN_BASE + path, { ...options, headers: { 'X-Platform-Admin-Token': token } });
}

/** Whether PLATFORM_ADMIN_TOKEN is empty, so that the operator API answers 404. */
export function isOperatorDisabled(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404;
}

export function isWrongToken(error: unknown): boolean {
  return error instanceof ApiError && error.code === WRONG_TOKEN;
}
