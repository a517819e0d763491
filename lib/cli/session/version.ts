import { version } from '@/package.json';

/** The version of this program, which is the version of the server that it came with. */
export const VERSION: string = version;

/** The header of every request. */
export const USER_AGENT = `eds/${VERSION}`;
