import type { Context } from '@/lib/cli/context';
import { VERSION } from '@/lib/client/user-agent';

/** Says at a terminal that the server has another version, and how to get the program that fits it. */
export function noteOtherVersion({ serverVersion, terminal, out, url, signal }: Context): void {
  if (serverVersion === null || serverVersion === VERSION || !terminal.stderr.isTTY || signal.aborted) return;
  out.note(`The server runs version ${serverVersion}, but this is eds ${VERSION}. Install the matching version:`);
  out.note(`  npm install --global ${url}/downloads/eds.tgz`);
}
