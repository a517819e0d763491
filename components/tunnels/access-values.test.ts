import { describe, expect, it } from 'vitest';
import type { Tunnel } from '@/lib/tunnel/schema';
import { accessBodyOf, accessValuesOf } from './access-values';

const tunnel = {
  basicAuth: { username: 'ada' },
  allowedCidrs: ['192.0.2.7/32', '10.0.0.0/8', '2001:db8::1/128'],
} as Tunnel;
const open = { basicAuth: null, allowedCidrs: [] as string[] } as Tunnel;

describe('the access form of a tunnel', () => {
  it('shows single addresses without a prefix, and never a password', () => {
    expect(accessValuesOf(tunnel)).toEqual({
      ...{ isProtected: true, username: 'ada', password: '' },
      allowedCidrs: '192.0.2.7\n10.0.0.0/8\n2001:db8::1',
    });
    expect(accessValuesOf(undefined)).toEqual({ isProtected: false, username: '', password: '', allowedCidrs: '' });
  });

  it('keeps a password that is not typed, and sends a typed one with another username', () => {
    const values = accessValuesOf(tunnel);
    expect(accessBodyOf(values, tunnel)).not.toHaveProperty('basicAuth');
    expect(accessBodyOf({ ...values, password: 'long password' }, tunnel).basicAuth).toEqual({
      ...{ username: 'ada', password: 'long password' },
    });
    expect(accessBodyOf({ ...values, username: 'bea' }, tunnel).basicAuth).toEqual({ username: 'bea', password: '' });
  });

  it('removes the password when protection is switched off', () => {
    expect(accessBodyOf({ ...accessValuesOf(tunnel), isProtected: false }, tunnel).basicAuth).toBeNull();
  });

  it('reads addresses between spaces, commas and lines', () => {
    const values = { ...accessValuesOf(open), allowedCidrs: ' 192.0.2.7,\n10.0.0.0/8  ::1 ' };
    expect(accessBodyOf(values, open)).toEqual({
      basicAuth: null,
      allowedCidrs: ['192.0.2.7', '10.0.0.0/8', '::1'],
    });
  });
});
