import { describeCaller } from '@/components/docs/api/credentials';
import type { Operation } from '@/components/docs/api/reference-types';

/** Tells whether a page can send a call, and which credential it uses. */
export type TryMode =
  | { kind: 'person' }
  | { kind: 'anyone' }
  /** It reads, but this page lacks the credential. */
  | { kind: 'other-credential'; needs: string }
  /** It changes something, or its response is not for a page. */
  | { kind: 'never' };

/** A page sends only what reads: GET, with a response that it can show. */
export function tryModeOf({ method, callers, request }: Operation): TryMode {
  if (method !== 'GET' || request.responds === 'redirect' || request.responds === 'socket') return { kind: 'never' };
  if (callers.length === 0) return { kind: 'anyone' };
  if (callers.some(({ kind }) => kind === 'person')) return { kind: 'person' };
  return { kind: 'other-credential', needs: callers.map(describeCaller).join(' or ') };
}
