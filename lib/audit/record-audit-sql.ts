import type { ActorType } from '@/lib/platform/prisma/generated/enums';
import { enumOf, json, nullable, text, uuid } from '@/lib/platform/sql/column';
import { statement } from '@/lib/platform/sql/statement';

/** Inserts an entry. Its time is the start of the transaction. */
export const insertEntry = statement(
  `INSERT INTO audit_log (id, organization_id, action, actor_type, actor_id, target_type, target_id, ip_address, details)
   VALUES ($id, $organization, $action, $actorType::"ActorType", $actor, $targetType, $target, $ipAddress, $details)`,
  {
    params: {
      id: uuid,
      organization: nullable(uuid),
      action: text,
      actorType: enumOf<ActorType>('ActorType'),
      actor: nullable(uuid),
      targetType: text,
      target: nullable(uuid),
      ipAddress: nullable(text),
      details: json,
    },
  },
);
