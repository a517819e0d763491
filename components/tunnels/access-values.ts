import type { Tunnel, UpdateTunnelBody } from '@/lib/tunnel/schema';

/** The form fields that say who may use a tunnel. */
export interface AccessValues {
  isProtected: boolean;
  username: string;
  /** Empty to keep the current one. */
  password: string;
  /** Addresses and ranges, separated by spaces, commas or lines. */
  allowedCidrs: string;
}

/** Returns what the form shows at first. */
export function accessValuesOf(tunnel: Tunnel | undefined): AccessValues {
  return {
    isProtected: tunnel !== undefined && tunnel.basicAuth !== null,
    username: tunnel?.basicAuth?.username ?? '',
    password: '',
    allowedCidrs: tunnel?.allowedCidrs.map(withoutFullPrefix).join('\n') ?? '',
  };
}

/** Whether the form keeps the current password: the username is the same and no new password is typed. */
export function keepsPassword({ isProtected, username, password }: AccessValues, tunnel: Tunnel | undefined): boolean {
  return isProtected && password === '' && tunnel?.basicAuth?.username === username;
}

/** Returns the part of a request body that sets the access of a tunnel as the form says. */
export function accessBodyOf(values: AccessValues, tunnel: Tunnel | undefined) {
  const { isProtected, username, password } = values;
  const basicAuth: UpdateTunnelBody = keepsPassword(values, tunnel)
    ? {}
    : { basicAuth: isProtected ? { username, password } : null };
  return { ...basicAuth, allowedCidrs: values.allowedCidrs.split(/[\s,]+/).filter((entry) => entry !== '') };
}

/** Shortens a range of one address to the address. */
export function withoutFullPrefix(cidr: string): string {
  return cidr.includes(':') ? cidr.replace(/\/128$/, '') : cidr.replace(/\/32$/, '');
}
