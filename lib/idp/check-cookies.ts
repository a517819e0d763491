import { SECOND_MS } from '@/lib/platform/clock';
import { config } from '@/lib/platform/config/config';
import { sha256 } from '@/lib/platform/crypto';

/** The checks that a browser holds during a provider sign-in, sealed by next-auth, and the path to return to. */
const CHECKS = ['state', 'pkceCodeVerifier', 'nonce'] as const;
const RETURN_TO = 'return_to';

/** Seconds to sign in at the provider. */
const ROUND_TRIP_SECONDS = 10 * 60;
/** Provider sign-ins of one browser at once, one per tab; another one ends the oldest. Their cookies take 5 KB. */
const MAX_ROUND_TRIPS = 3;
const TAG_CHARS = 12;

/**
 * Distinguishes the cookies of one provider sign-in from those of another tab: the second it began, and a hash of its
 * state.
 */
export type RoundTripSlot = string & { readonly slot: unique symbol };

const SLOT = /^[0-9a-z]{1,9}-[\w-]{12}$/;

function isSecure(): boolean {
  return config().baseUrl.startsWith('https:');
}

/**
 * The prefix `__Host-` keeps other hosts of the domain from planting their own cookie, which would let them sign a
 * victim's browser in to their account.
 */
function cookieName(what: string): string {
  return `${isSecure() ? '__Host-' : ''}eds_idp_${what.toLowerCase()}`;
}

/** Returns the names of the check cookies as next-auth knows them. */
export function checkCookieNames(): string[] {
  return CHECKS.map(cookieName);
}

/** Returns the name of a cookie in one slot, as the browser sends it. */
export function cookieNameInSlot(name: string, slot: RoundTripSlot): string {
  return `${name}.${slot}`;
}

export function returnCookieName(slot: RoundTripSlot): string {
  return cookieNameInSlot(cookieName(RETURN_TO), slot);
}

/** Creates the slot of a provider sign-in that begins at `now`. */
export function newSlot(state: string, now = new Date()): RoundTripSlot {
  return `${Math.floor(now.getTime() / SECOND_MS).toString(36)}-${tagOf(state)}` as RoundTripSlot;
}

/** Finds the browser's slot for a state; null when the browser began no such sign-in. */
export function findSlot(heldNames: readonly string[], state: string): RoundTripSlot | null {
  const tag = tagOf(state);
  return slotsOf(heldNames).find((slot) => slot.endsWith(`-${tag}`)) ?? null;
}

/** Returns the slots to clear, oldest first, so that one more sign-in can begin. */
export function excessSlots(heldNames: readonly string[]): RoundTripSlot[] {
  const slots = slotsOf(heldNames).sort((a, b) => beginOf(a) - beginOf(b));
  return slots.slice(0, Math.max(0, slots.length + 1 - MAX_ROUND_TRIPS));
}

/** Returns next-auth's options for the check cookies. */
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

/**
 * Returns the Set-Cookie value that keeps the path to return to. Not sealed: the path is checked again when it comes
 * back.
 */
export function returnCookie(path: string, slot: RoundTripSlot): string {
  return serialize(returnCookieName(slot), encodeURIComponent(path), ROUND_TRIP_SECONDS);
}

/** Returns the Set-Cookie values that clear slots, whatever the result: no check is used twice. */
export function clearedCookies(slots: readonly RoundTripSlot[]): string[] {
  const names = [...checkCookieNames(), cookieName(RETURN_TO)];
  return slots.flatMap((slot) => names.map((name) => serialize(cookieNameInSlot(name, slot), '', 0)));
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
