/** Codes of OAuth ("invalid_client") and of the network ("ECONNREFUSED"). */
const CODE = /^[A-Za-z_]{1,40}$/;

/**
 * Describes an error of the provider for the log: enough to distinguish a wrong secret from a wrong clock, without
 * the tokens, checks and addresses that messages of openid-client quote after their first words.
 */
export function describeFault(fault: unknown): string {
  if (!(fault instanceof Error)) return 'unknown';
  const { error, code, cause } = fault as { error?: unknown; code?: unknown; cause?: unknown };
  if (typeof error === 'string' && CODE.test(error)) return error;
  if (fault.name === 'RPError') return fault.message.split(/[,:(]/)[0]?.slice(0, 80) ?? fault.name;
  if (typeof code === 'string' && CODE.test(code)) return code;
  return cause instanceof Error ? `${fault.name}: ${describeFault(cause)}` : fault.name;
}
