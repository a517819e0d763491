import { isCredentialName } from '@/lib/platform/net/credential-names';
import { isInternalHeader } from '@/lib/platform/net/service-headers';

/** Whether a header carries a credential, which the log must not keep. Judges by the name, as attempts do. */
export function isCredentialHeader(name: string): boolean {
  // CGI programs do not tell x_api_key from x-api-key.
  const lower = name.toLowerCase().replaceAll('_', '-');
  return isCredentialName(lower) || lower === 'x-platform-admin-token' || isInternalHeader(lower);
}
