import type { Sql } from '@/lib/platform/db';
import { notFound } from '@/lib/platform/errors';
import type { Database } from '@/lib/platform/prisma/client';

/*
 * Events and whatever else points at the project take KEY SHARE of it, which this lock lets through; another of its kind, a
 * deletion and an erasure wait. Whoever also locks a row below the project locks the project first.
 */
const LOCK_SQL = 'SELECT 1 FROM projects WHERE id = $1::uuid AND deleted_at IS NULL FOR NO KEY UPDATE';

/**
 * Locks a project with Prisma, so that of changes that count what it has one comes after the other.
 * @throws AppError not_found when it is going
 */
export async function lockProject(tx: Database, projectId: string): Promise<void> {
  const rows = await tx.$queryRawUnsafe<unknown[]>(LOCK_SQL, projectId);
  if (rows.length === 0) throw notFound('project');
}

/** The same in a transaction of plain SQL. @throws AppError not_found */
export async function lockProjectSql(tx: Sql, projectId: string): Promise<void> {
  const { rows } = await tx.query(LOCK_SQL, [projectId]);
  if (rows.length === 0) throw notFound('project');
}
