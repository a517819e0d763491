import { statement } from '@/lib/platform/sql/statement';

/** Inserts an entry. Its time is the start of the transaction. */
export const insertEntry = statement(
  `INSERT INTO audit_log (id, organization_id, action, actor_type, actor_id, target_type, target_id, ip_address, details)
   VALUES ($1, $2, $3, $4::"ActorType", $5, $6, $7, $8, $9)`,
);
