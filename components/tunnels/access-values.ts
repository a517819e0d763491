import type { Tunnel, UpdateTunnelBody } from '@/lib/tunnel/schema';

/** The fields of the form about who may enter. */
export interface AccessValues {
  isProtected: boolean;
  username: string;
  /** Empty to keep the present one. */
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

/** Whether the form keeps the present password: the username is the same and no new password is typed. */
export function keepsPassword({ isProtected, username, password }: AccessValues, tunnel: Tunnel | undefined): boolean {
  return isProtected && password === '' && tunnel?.basicAuth?.username === username;
}

/** Returns the body that changes the access of a tunnel, or creates one, as the form says. */
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
