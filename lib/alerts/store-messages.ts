import { consumeInTransaction } from '@/lib/platform/count-in-transaction';
import type { Sql } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import { enqueueMails, type Mail } from '@/lib/platform/mail/enqueue-mail';
import { layOutMail } from '@/lib/platform/mail/layout';
import { toBinaryTexts } from '@/lib/platform/sql/binary-texts';
import { type Draft, detailsOf, titleOf } from './describe';
import { countWaiting, findVerification, insertHeldMessages, insertMessages, type MessageRow } from './messages-sql';
import type { AlertKind, AlertMessageStatus } from './schema';

/** Where the messages of an alert go. */
interface Receiver {
  id: string;
  projectId: string;
  ownerId: string;
  kind: AlertKind;
  userId: string | null;
  /** The address of an EMAIL. */
  address: string | null;
}

/** Emails of all alerts to one address in an hour. Somebody may have registered with the address of another person. */
const MAIL_LIMIT = { name: 'alert-mail', windowSeconds: 60 * 60 };
const VERIFIED_POINTS = 240;
const UNVERIFIED_POINTS = 10;
/** Emails of all alerts of an owner in an hour, to whatever addresses: they share the mail server with others. */
const OWNER_LIMIT = { name: 'alert-mail-owner', windowSeconds: 60 * 60, points: 1_000 };

/** Messages to URLs of all alerts of an owner that wait in a cell: those whose targets hang would fill the disk. */
const MAX_WAITING = 1_000;

/** Messages that are written at once: each may have 5 KB. */
const WRITTEN_AT_ONCE = 50;

/** Stores messages in the transaction that decides them: one that commits is sent. Mails go to their queue; workers send the others. */
export async function storeMessages(tx: Sql, receiver: Receiver, drafts: readonly Draft[]): Promise<MessageRow[]> {
  if (drafts.length === 0) return [];
  const isMail = receiver.kind === 'EMAIL';
  const accepted = await (isMail ? mail(tx, receiver, drafts) : roomFor(tx, receiver.ownerId));
  return insertMessages.all(tx, {
    ...paramsOf(receiver, drafts),
    statuses: drafts.map((_, index): AlertMessageStatus => {
      if (index >= accepted) return 'FAILED';
      return isMail ? 'SENT' : 'PENDING';
    }),
    refusal: isMail
      ? 'Too many emails of alerts in an hour, to this address or in all'
      : 'Too many messages of alerts wait',
  });
}

/** Stores messages that wait for the digest of the hour, in pieces, so that others have the thread between them. */
export async function holdMessages(tx: Sql, receiver: Receiver, drafts: readonly Draft[]): Promise<void> {
  for (let at = 0; at < drafts.length; at += WRITTEN_AT_ONCE) {
    await insertHeldMessages.run(tx, paramsOf(receiver, drafts.slice(at, at + WRITTEN_AT_ONCE)));
  }
}

const paramsOf = ({ projectId, id, ownerId }: Receiver, drafts: readonly Draft[]) => ({
  project: projectId,
  alert: id,
  owner: ownerId,
  ids: drafts.map(() => newId()),
  kinds: drafts.map(({ kind }) => kind),
  triggers: drafts.map(({ trigger }) => trigger),
  texts: toBinaryTexts(drafts.map(({ text }) => text)),
  data: toBinaryTexts(drafts.map(({ data }) => JSON.stringify(data))),
});

/** Returns how many more messages to URLs may wait, of all alerts of an owner. Two checks at once may both take the last place. */
async function roomFor(tx: Sql, owner: string): Promise<number> {
  const { waiting } = await countWaiting.one(tx, { owner, most: MAX_WAITING });
  return MAX_WAITING - (waiting ?? 0);
}

/** Enqueues the mails that the address may still get, and the owner may still send, in this hour. @returns how many */
async function mail(tx: Sql, { address, userId, ownerId }: Receiver, drafts: readonly Draft[]): Promise<number> {
  if (address === null || userId === null) return 0;
  const { is_verified: isVerified } = await findVerification.one(tx, { user: userId });
  const limit = { ...MAIL_LIMIT, key: address, points: isVerified === true ? VERIFIED_POINTS : UNVERIFIED_POINTS };
  const mails: Mail[] = [];
  for (const draft of drafts) {
    if (!(await consumeInTransaction(tx, limit))) break;
    if (!(await consumeInTransaction(tx, { ...OWNER_LIMIT, key: ownerId }))) break;
    mails.push({ to: address, userId, ownerId, ...toMail(draft) });
  }
  await enqueueMails(tx, mails);
  return mails.length;
}

function toMail(draft: Draft) {
  const { text, data, trigger } = draft;
  const { messages, link, alertName } = data;
  return layOutMail({
    subject: titleOf(draft).subject,
    paragraphs: [text, ...(Array.isArray(messages) ? messages.map(String) : []), ...detailsOf(data)],
    action: { label: trigger === null ? 'View alerts' : 'View details', url: String(link) },
    closing: [`You get this email from the alert “${String(alertName)}”.`],
  });
}
