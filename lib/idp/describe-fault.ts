/** Codes of OAuth ("invalid_client") and of the network ("ECONNREFUSED"). */
const CODE = /^[A-Za-z_]{1,40}$/;

/**
 * What went wrong with the provider, in words that may stand in the log: enough to tell a wrong secret from a wrong clock,
 * nothing of the tokens, checks and addresses that the messages of openid-client quote after their first words.
 */
export function describeFault(fault: unknown): string {
  if (!(fault instanceof Error)) return 'unknown';
  const { error, code, cause } = fault as { error?: unknown; code?: unknown; cause?: unknown };
  if (typeof error === 'string' && CODE.test(error)) return error;
  if (fault.name === 'RPError') return fault.message.split(/[,:(]/)[0]?.slice(0, 80) ?? fault.name;
  if (typeof code === 'string' && CODE.test(code)) return code;
  return cause instanceof Error ? `${fault.name}: ${describeFault(cause)}` : fault.name;
}
