import { CliError, type CliErrorFields } from '@/lib/cli/cli-error';
import type { Context } from '@/lib/cli/context';
import { describeError } from '@/lib/cli/describe-error';
import { EXIT, type ExitCode } from '@/lib/cli/exit-codes';
import { isApiError } from '@/lib/client';
import type { TunnelEnd } from '@/lib/tunnel/client';

const BY_STATUS: Record<number, Pick<CliErrorFields, 'exitCode' | 'code' | 'next'>> = {
  401: { exitCode: EXIT.notSignedIn, code: 'not_signed_in', next: 'eds login' },
  403: { exitCode: EXIT.forbidden, code: 'forbidden' },
  404: { exitCode: EXIT.notFound, code: 'not_found', next: 'eds tunnels list' },
  409: {
    exitCode: EXIT.failure,
    code: 'tunnel_in_use',
    next: 'Add --takeover to replace it, or create another tunnel with eds tunnels create <name> and use --tunnel <name>.',
  },
};

/** Says why a tunnel ended for good, and with which exit code. */
export async function endReason(
  context: Context,
  { projectId, tunnelId }: { projectId: string; tunnelId: string },
  { end, reason }: { end: TunnelEnd | null; reason: string | null },
): Promise<CliError> {
  const text = reason ?? 'The tunnel was closed.';
  if (end?.kind === 'replaced') {
    const next = 'Add --takeover to take it back, or use another tunnel with --tunnel.';
    return new CliError({ message: text, code: 'taken_over', exitCode: EXIT.failure, next });
  }
  if (end?.kind === 'refused') return new CliError({ message: text, ...byStatus(end.status) });
  if (end?.kind !== 'access_ended') return new CliError({ message: text, code: 'closed', exitCode: EXIT.failure });
  // The relay says only that the access has ended; the API says why.
  const why = await context.client.tunnels.get(tunnelId, { projectId, signal: context.signal }).catch((error) => error);
  if (why instanceof CliError) return why;
  if (isApiError(why)) return new CliError(describeError(why));
  return new CliError({ message: text, code: 'forbidden', exitCode: EXIT.forbidden });
}

function byStatus(status: number): { exitCode: ExitCode; code: string; next?: string | undefined } {
  return BY_STATUS[status] ?? { exitCode: EXIT.failure, code: 'refused' };
}
