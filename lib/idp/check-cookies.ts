import { SECOND_MS } from '@/lib/platform/clock';
import { config } from '@/lib/platform/config/config';
import { sha256 } from '@/lib/platform/crypto';

/** What a browser holds while its person is at the provider: the checks, sealed by next-auth, and where to go afterwards. */
const CHECKS = ['state', 'pkceCodeVerifier', 'nonce'] as const;
const RETURN_TO = 'return_to';

/** Time to sign in at the provider, in seconds. */
const ROUND_TRIP_SECONDS = 10 * 60;
/** Round trips of a browser at once, each in a tab of its own; a further one ends the oldest. Their cookies fill 5 KB. */
const MAX_ROUND_TRIPS = 3;
const TAG_CHARS = 12;

/**
 * What tells the cookies of one round trip from those of another tab's: the second in which it began, and a tag of its state.
 */
export type RoundTripSlot = string & { readonly slot: unique symbol };

const SLOT = /^[0-9a-z]{1,9}-[\w-]{12}$/;

function isSecure(): boolean {
  return config().baseUrl.startsWith('https:');
}

/** With the prefix no other host of the domain can plant its own, and so have its sign-in end in somebody else's browser. */
function cookieName(what: string): string {
  return `${isSecure() ? '__Host-' : ''}eds_idp_${what.toLowerCase()}`;
}

/** The names of the checks' cookies as next-auth knows them. */
export function checkCookieNames(): string[] {
  return CHECKS.map(cookieName);
}

/** The name by which a browser carries a cookie of one round trip. */
export function nameInSlot(name: string, slot: RoundTripSlot): string {
  return `${name}.${slot}`;
}

export function returnCookieName(slot: RoundTripSlot): string {
  return nameInSlot(cookieName(RETURN_TO), slot);
}

/** The slot of a round trip that begins now. */
export function newSlot(state: string, now = new Date()): RoundTripSlot {
  return `${Math.floor(now.getTime() / SECOND_MS).toString(36)}-${tagOf(state)}` as RoundTripSlot;
}

/** The slot that a browser has for this state; null when it began no such round trip. */
export function findSlot(heldNames: readonly string[], state: string): RoundTripSlot | null {
  const tag = tagOf(state);
  return slotsOf(heldNames).find((slot) => slot.endsWith(`-${tag}`)) ?? null;
}

/** The slots that must go so that one more round trip can begin: the oldest first. */
export function surplusSlots(heldNames: readonly string[]): RoundTripSlot[] {
  const slots = slotsOf(heldNames).sort((a, b) => beginOf(a) - beginOf(b));
  return slots.slice(0, Math.max(0, slots.length + 1 - MAX_ROUND_TRIPS));
}

/** The cookies of the checks, as next-auth is to make them. */
export function checkCookieOptions() {
  const options = {
    httpOnly: true,
    sameSite: 'lax' as const,
    path: '/',
    secure: isSecure(),
    maxAge: ROUND_TRIP_SECONDS,
  };
  return Object.fromEntries(CHECKS.map((check) => [check, { name: cookieName(check), options }]));
}

/** The Set-Cookie value that keeps the path to land on. Not sealed: it is judged again when it comes back. */
export function returnCookie(path: string, slot: RoundTripSlot): string {
  return serialize(returnCookieName(slot), encodeURIComponent(path), ROUND_TRIP_SECONDS);
}

/** The Set-Cookie values that end round trips, however they went: no check is used twice. */
export function clearedCookies(slots: readonly RoundTripSlot[]): string[] {
  const names = [...checkCookieNames(), cookieName(RETURN_TO)];
  return slots.flatMap((slot) => names.map((name) => serialize(nameInSlot(name, slot), '', 0)));
}

function slotsOf(heldNames: readonly string[]): RoundTripSlot[] {
  const bases = [...checkCookieNames(), cookieName(RETURN_TO)];
  const suffixes = heldNames.flatMap((held) =>
    bases.flatMap((base) => (held.startsWith(`${base}.`) ? held.slice(base.length + 1) : [])),
  );
  return [...new Set(suffixes)].filter((suffix): suffix is RoundTripSlot => SLOT.test(suffix));
}

function beginOf(slot: RoundTripSlot): number {
  return Number.parseInt(slot.slice(0, slot.indexOf('-')), 36);
}

function tagOf(state: string): string {
  return sha256(state).toString('base64url').slice(0, TAG_CHARS);
}

function serialize(name: string, value: string, maxAgeSeconds: number): string {
  const secure = isSecure() ? '; Secure' : '';
  return `${name}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${maxAgeSeconds}${secure}`;
}
