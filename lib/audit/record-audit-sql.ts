import type { ActorType } from '@/lib/platform/prisma/generated/enums';
import { enumOf, nullable, text, texts, uuid, uuids, withNulls } from '@/lib/platform/sql/column';
import { statement } from '@/lib/platform/sql/statement';

/** Inserts entries. Their time is the start of the transaction. */
export const insertEntries = statement(
  `INSERT INTO audit_log (id, organization_id, action, actor_type, actor_id, target_type, target_id, ip_address, details)
   SELECT e.id, e.organization, $action, $actorType::"ActorType", $actor, $targetType, e.target, $ipAddress, e.details::jsonb
   FROM unnest($ids::uuid[], $organizations::uuid[], $targets::uuid[], $details::text[]) e (id, organization, target, details)`,
  {
    params: {
      ids: uuids,
      organizations: withNulls(uuids),
      action: text,
      actorType: enumOf<ActorType>('ActorType'),
      actor: nullable(uuid),
      targetType: text,
      targets: withNulls(uuids),
      ipAddress: nullable(text),
      details: texts,
    },
  },
);
