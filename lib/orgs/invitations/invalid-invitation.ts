import { AppError } from '@/lib/platform/errors';

/** One error for every unusable token: different ones would reveal which invitations exist. */
export function invalidInvitation(): AppError {
  return new AppError(
    'invalid_token',
    'This invitation isn’t valid. It was used, revoked or replaced, has expired, or is for another address.',
  );
}
