import { decrypt, decryptOrNull, encrypt } from '@/lib/platform/encryption';

const PURPOSE = 'alert-target';

/** Encrypts the URL of an alert for the database: that of a chat is a credential. */
export function sealAlertTarget(url: string): Buffer<ArrayBuffer> {
  return encrypt(url, PURPOSE);
}

/** Decrypts the result of `sealAlertTarget`. @throws Error when no key of ENCRYPTION_KEY decrypts it */
export function openAlertTarget(sealed: Uint8Array): string {
  return decrypt(sealed, PURPOSE);
}

/** Decrypts the result of `sealAlertTarget`; null when no key of ENCRYPTION_KEY decrypts it. */
export function tryOpenAlertTarget(sealed: Uint8Array, alertId: string): string | null {
  return decryptOrNull(sealed, PURPOSE, { alertId });
}
