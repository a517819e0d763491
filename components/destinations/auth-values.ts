import type { CreateDestinationBody, Destination } from '@/lib/incoming/schema';

type DestinationAuth = NonNullable<CreateDestinationBody['auth']>;

/** How deliveries authenticate. `KEEP` leaves what is stored: the API never returns it. */
export type AuthChoice = 'NONE' | 'KEEP' | DestinationAuth['type'];

export interface AuthValues {
  auth: AuthChoice;
  token: string;
  username: string;
  password: string;
  headerName: string;
  headerValue: string;
}

/** Returns the values with which the form starts. */
export function authValuesOf(destination?: Destination): AuthValues {
  return {
    auth: destination?.auth ? 'KEEP' : 'NONE',
    token: '',
    username: '',
    password: '',
    headerName: '',
    headerValue: '',
  };
}

/** Returns the `auth` to send: null removes it, undefined keeps it. */
export function authBodyOf(values: AuthValues): DestinationAuth | null | undefined {
  const { auth, token, username, password, headerName, headerValue } = values;
  if (auth === 'KEEP') return undefined;
  if (auth === 'BEARER') return { type: 'BEARER', token: token.trim() };
  if (auth === 'BASIC') return { type: 'BASIC', username, password };
  if (auth === 'HEADER') return { type: 'HEADER', name: headerName.trim(), value: headerValue.trim() };
  return null;
}

/** Describes the stored authentication: "Basic, as eds". */
export function describeAuth(auth: Destination['auth']): string {
  if (auth === null) return 'No authentication';
  if (auth.type === 'UNREADABLE') return 'Can’t be read. Enter it again';
  if (auth.type === 'BASIC') return `Basic, as ${auth.username}`;
  return auth.type === 'BEARER' ? 'Bearer token' : `Header ${auth.name}`;
}
