import type { Member } from '@/lib/orgs/schema';

/** What a member is called: their name, or their address while they gave none. */
export function nameOf(member: Pick<Member, 'name' | 'email'>): string {
  return member.name ?? member.email;
}
