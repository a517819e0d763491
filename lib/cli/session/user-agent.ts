import { VERSION } from '@/lib/client/user-agent';

/** The header of every request. */
export const USER_AGENT = `eds/${VERSION}`;
