import type { PersonCaller } from '@/lib/audit/caller';
import { prisma } from '@/lib/platform/prisma/client';
import type { UpdateMeBody } from './schema';

/** Changes the fields of the caller's own account that the body names. */
export async function updateMe(caller: PersonCaller, body: UpdateMeBody): Promise<void> {
  const { name } = body;
  if (name === undefined) return;
  await prisma().user.updateMany({ where: { id: caller.userId, erasedAt: null }, data: { name } });
}
