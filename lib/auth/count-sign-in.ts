import { type ErrorCode, isAppError } from '@/lib/platform/errors';
import { declareCounter } from '@/lib/platform/metrics';

/** Refusals with a count of their own; everything else is an error. */
const REFUSALS: readonly ErrorCode[] = [
  ...(['invalid_credentials', 'password_unconfirmed', 'account_locked', 'rate_limited', 'overloaded'] as const),
  ...(['access_denied', 'expired_token', 'invalid_grant'] as const),
];
/** A client that polls for its device code has not been answered yet. */
const PENDING: readonly ErrorCode[] = ['authorization_pending', 'slow_down'];

type SignInMethod = 'password' | 'idp' | 'device';

const signIns = declareCounter({
  name: 'sign_ins_total',
  help: 'Sign-ins that this process has answered: succeeded, or by the code of the refusal',
  labelNames: ['method', 'outcome'],
});

/** Counts a sign-in that ended. @param outcome succeeded, or from a closed list of refusals */
export function countSignIn(method: SignInMethod, outcome: string): void {
  signIns().inc({ method, outcome });
}

/** Counts the outcome of a sign-in, and passes it on. */
export async function countingSignIn<T>(method: SignInMethod, signingIn: Promise<T>): Promise<T> {
  try {
    const signedIn = await signingIn;
    countSignIn(method, 'succeeded');
    return signedIn;
  } catch (error) {
    const code = isAppError(error) ? error.code : null;
    if (code === null || !PENDING.includes(code)) {
      countSignIn(method, code !== null && REFUSALS.includes(code) ? code : 'error');
    }
    throw error;
  }
}
