import { TYPE_FIELDS } from '@/lib/incoming/event-type-policy';
import { MemberReader } from '@/lib/platform/json-bytes';
import { LARGE_BODY_BYTES } from '@/lib/platform/large-body';

/** Reads what names the id of an event, or its type. */
const READER = new MemberReader(['id', 'event_id', 'update_id', 'notification_id', ...TYPE_FIELDS]);

type Members = Readonly<Record<string, unknown>>;
const known = new WeakMap<Buffer, Members>();

/**
 * Returns the members of the JSON object in a body that may tell the id or the type of its event, reading it once; none when it is
 * something else, such as a form, or has more than 512 KiB. Nothing else of it stays in memory.
 */
export function membersOf(body: Buffer): Members {
  let members = known.get(body);
  if (members === undefined) {
    members = body.length > LARGE_BODY_BYTES ? {} : READER.read(body);
    known.set(body, members);
  }
  return members;
}

/** Returns what `membersOf` has read of a body already; undefined for others. */
export function readMembersOf(body: Buffer): Members | undefined {
  return known.get(body);
}
