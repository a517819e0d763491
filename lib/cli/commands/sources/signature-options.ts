import { FROM_WHERE } from '@/lib/cli/input/read-secret';
import { choice, flag, text } from '@/lib/cli/options';

/** How requests to a source are signed. */
export const SIGNATURE_OPTIONS = {
  withSecret: flag('--with-secret', `set the secret that the provider signs with, ${FROM_WHERE}`),
  signatureHeader: text(
    '--signature-header <name>',
    'for `GENERIC_HMAC`: header with the signature (default `X-Signature`)',
  ),
  signatureEncoding: choice('--signature-encoding <encoding>', 'for `GENERIC_HMAC`', ['hex', 'base64']),
  signaturePrefix: text(
    '--signature-prefix <text>',
    'for `GENERIC_HMAC`: text before the signature, such as `sha256=`',
  ),
};
