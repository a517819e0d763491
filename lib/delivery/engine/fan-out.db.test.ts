import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { database } from '@/lib/platform/db';
import { encrypt } from '@/lib/platform/encryption';
import { newId } from '@/lib/platform/ids';
import { useDatabase } from '@/tests/database';
import { insertEndpoint, insertEvents, insertProject, readDeliveries } from '@/tests/deliveries';
import { startReceiver, waitFor } from '@/tests/receiver';
import { isSettled, startWorker } from '@/tests/worker';
import { fanOutBatch, fanOutEntry, type Room } from './fan-out';
import { MATCHES } from './fan-out-sql';

useDatabase();

const ROOM: Room = { known: new Map(), other: 100 };
const URL = 'http://receiver.test/';

async function readOutbox() {
  const { rows } = await database().query('SELECT * FROM outbox ORDER BY id');
  return rows;
}

describe('a subscription', () => {
  const isMatch = async (pattern: string, type: string) => {
    const sql = `SELECT ${MATCHES} AS matches FROM (SELECT $1::text AS event_type) s, (SELECT $2::text AS type) e`;
    return (await database().query(sql, [pattern, type])).rows[0].matches as boolean;
  };

  it.each([
    ['order.created', 'order.created', true],
    ['order.created', 'order.createdx', false],
    ['*', 'anything', true],
    ['order.*', 'order.created', true],
    ['order.*', 'order.line.added', true],
    ['order.*', 'order', false],
    ['order.*', 'order.', false],
    ['order.*', 'orders.created', false],
    ['order.*', 'my.order.created', false],
    ['order.line.*', 'order.line.added', true],
    ['order.line.*', 'order.linex.added', false],
    ['a_c.*', 'abc.d', false],
    ['a%', 'abc', false],
    ['Order.*', 'order.created', false],
  ])('to %s and an event %s: %s', async (pattern, type, expected) => {
    expect(await isMatch(pattern, type)).toBe(expected);
  });

  it('matches what lies below its prefix and nothing else, whatever the names', async () => {
    const name = fc.string({ unit: fc.constantFrom('a', 'b', '.', '_', '-'), minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(name, name, async (prefix, type) => {
        const expected = type.startsWith(`${prefix}.`) && type.length > prefix.length + 1;
        expect(await isMatch(`${prefix}.*`, type)).toBe(expected);
      }),
    );
  });
});

describe('an event', () => {
  it('makes one delivery for each endpoint with a match, however many of its subscriptions match', async () => {
    const both = await insertEndpoint({ url: URL, eventTypes: ['order.*', 'order.created', '*'] });
    const { projectId } = both;
    const one = await insertEndpoint({ url: URL, projectId, eventTypes: ['order.created'] });
    const none = await insertEndpoint({ url: URL, projectId, eventTypes: ['invoice.*'] });
    const foreign = await insertEndpoint({ url: URL });
    const [eventId] = await insertEvents(projectId, 1, { type: 'order.created' });
    const { entries, handedOver } = await fanOutBatch(database(), ROOM);
    expect(entries).toBe(1);
    expect(new Set(handedOver.map(({ targetId }) => targetId))).toEqual(new Set([both.id, one.id]));
    for (const { id } of [both, one]) expect(await readDeliveries(id)).toMatchObject([{ event_id: eventId }]);
    for (const { id } of [none, foreign]) expect(await readDeliveries(id)).toEqual([]);
    expect(await readOutbox()).toEqual([]);
  });

  it.each([
    ['a disabled endpoint', 'UPDATE endpoints SET enabled = false WHERE id = $1'],
    ['a deleted endpoint', 'UPDATE endpoints SET deleted_at = now() WHERE id = $1'],
    ['a disabled subscription', 'UPDATE subscriptions SET enabled = false WHERE endpoint_id = $1'],
    [
      'a deleted project',
      'UPDATE projects SET deleted_at = now() WHERE id = (SELECT project_id FROM endpoints WHERE id = $1)',
    ],
    [
      'a deleted organization',
      `UPDATE organizations SET deleted_at = now() WHERE id =
         (SELECT p.organization_id FROM projects p JOIN endpoints e ON e.project_id = p.id WHERE e.id = $1)`,
    ],
  ])('makes none for %s', async (_, sql) => {
    const endpoint = await insertEndpoint({ url: URL });
    await insertEvents(endpoint.projectId, 1);
    await database().query(sql, [endpoint.id]);
    expect(await fanOutBatch(database(), ROOM)).toMatchObject({ entries: 1, handedOver: [] });
    expect(await readOutbox()).toEqual([]);
  });

  it('that nobody subscribed to, or that is gone, leaves the outbox all the same', async () => {
    const projectId = await insertProject();
    const [, gone] = await insertEvents(projectId, 2);
    await database().query('DELETE FROM events WHERE id = $1', [gone]);
    expect(await fanOutBatch(database(), ROOM)).toMatchObject({ entries: 2, handedOver: [] });
    expect(await readOutbox()).toEqual([]);
  });

  it('is leased as far as there is room, and due at once beyond that', async () => {
    const endpoint = await insertEndpoint({ url: URL });
    const other = await insertEndpoint({ url: URL });
    await insertEvents(endpoint.projectId, 5);
    await insertEvents(other.projectId, 2);
    const { handedOver, overflowed } = await fanOutBatch(database(), { known: new Map([[endpoint.id, 3]]), other: 1 });
    const countOf = (id: string) => handedOver.filter(({ targetId }) => targetId === id).length;
    expect([countOf(endpoint.id), countOf(other.id)]).toEqual([3, 1]);
    expect(overflowed).toEqual(new Set([endpoint.id, other.id]));
    const due = (await readDeliveries(endpoint.id)).map(
      ({ next_attempt_at }) => (next_attempt_at?.getTime() ?? 0) <= Date.now(),
    );
    expect(due).toEqual([false, false, false, true, true]);
  });

  it('is fanned out by one of two workers', async () => {
    const endpoint = await insertEndpoint({ url: URL });
    await insertEvents(endpoint.projectId, 300);
    const done = await Promise.all([1, 2, 3, 4].map(() => fanOutBatch(database(), ROOM)));
    expect(done.reduce((sum, { entries }) => sum + entries, 0)).toBe(300);
    const deliveries = await readDeliveries(endpoint.id);
    expect(deliveries).toHaveLength(300);
    expect(new Set(deliveries.map(({ event_id }) => event_id)).size).toBe(300);
    for (const { id } of deliveries)
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });
});

describe('an incoming event', () => {
  it('goes to the enabled destinations of its source, byte for byte', async () => {
    const receiver = await startReceiver();
    const projectId = await insertProject();
    const [sourceId, incomingId] = [newId(), newId()];
    const body = Buffer.from([0x7b, 0xff, 0x00, 0x7d]);
    await database().query(
      'INSERT INTO sources (id, project_id, name, token_hash, token_encrypted) VALUES ($1, $2, $3, $4, $5)',
      [sourceId, projectId, 'Stripe', Buffer.from(sourceId), Buffer.alloc(1)],
    );
    const insertDestination = async (enabled: boolean) => {
      const id = newId();
      await database().query(
        'INSERT INTO destinations (id, project_id, source_id, url, enabled) VALUES ($1, $2, $3, $4, $5)',
        [id, projectId, sourceId, receiver.url, enabled],
      );
      return id;
    };
    const destinationId = await insertDestination(true);
    await insertDestination(false);
    await database().query(
      `INSERT INTO incoming_events (id, project_id, source_id, method, content_type, headers, body, size)
       VALUES ($1, $2, $3, 'POST', 'application/octet-stream', '{}', $4, 4)`,
      [incomingId, projectId, sourceId, body],
    );
    await database().query(
      `INSERT INTO outbox (id, kind, project_id, incoming_event_id) VALUES ($1, 'INCOMING_EVENT', $2, $3)`,
      [newId(), projectId, incomingId],
    );
    await startWorker();
    const read = async () =>
      (await database().query('SELECT * FROM deliveries WHERE incoming_event_id = $1', [incomingId])).rows;
    await waitFor('the forward', async () => (await read())[0]?.status === 'SUCCEEDED');
    expect(await read()).toMatchObject([{ destination_id: destinationId, endpoint_id: null, event_id: null }]);
    expect(receiver.received).toHaveLength(1);
    expect(receiver.received[0]?.headers).toMatchObject({
      'webhook-id': incomingId,
      'content-type': 'application/octet-stream',
      'content-length': '4',
    });
    expect(receiver.received[0]?.headers).not.toHaveProperty('webhook-signature');
  });
});

describe('an outbox row that fails', () => {
  it('and has been put off meanwhile is left alone until it is due again', async () => {
    const endpoint = await insertEndpoint({ url: 'http://receiver.test/' });
    await insertEvents(endpoint.projectId, 1);
    const [row] = await readOutbox();
    const fanOutIt = () => fanOutEntry(database(), row.id, ROOM);
    await database().query(`UPDATE outbox SET available_at = now() + interval '5 seconds' WHERE id = $1`, [row.id]);
    expect((await fanOutIt()).entries).toBe(0);
    await database().query('UPDATE outbox SET available_at = now() WHERE id = $1', [row.id]);
    expect((await fanOutIt()).entries).toBe(1);
  });

  it('is put off later and later and in the end is dead, and takes no other with it', async () => {
    const receiver = await startReceiver();
    const endpoint = await insertEndpoint({ url: receiver.url });
    const [bad] = await insertEvents(endpoint.projectId, 1, { type: 'bad' });
    await database().query(`
      CREATE FUNCTION refuse_bad() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF (SELECT type FROM events WHERE id = NEW.event_id) = 'bad' THEN RAISE EXCEPTION 'refused for the test'; END IF;
        RETURN NEW; END $$;
      CREATE TRIGGER refuse_bad BEFORE INSERT ON deliveries FOR EACH ROW EXECUTE FUNCTION refuse_bad()`);
    await insertEvents(endpoint.projectId, 3);
    const startedAt = Date.now();
    await startWorker();
    await waitFor('the good ones', isSettled(endpoint.id, 3));
    await waitFor('the bad one', async () => (await readOutbox())[0]?.attempts === 1);
    const [first] = await readOutbox();
    expect(first).toMatchObject({ event_id: bad, status: 'PENDING', last_error: 'refused for the test' });
    expect(first.available_at.getTime() - startedAt).toBeGreaterThanOrEqual(5_000);
    for (let attempts = 2; attempts <= 10; attempts += 1) {
      await database().query(`UPDATE outbox SET available_at = now(); SELECT pg_notify('eds_outbox', '')`);
      await waitFor('the next try', async () => (await readOutbox())[0]?.attempts === attempts);
    }
    const [last] = await readOutbox();
    expect(last).toMatchObject({ status: 'DEAD', attempts: 10 });
    expect(last.dead_at).not.toBeNull();
    await database().query('DROP TRIGGER refuse_bad ON deliveries; DELETE FROM outbox');
  });
});

describe('a mail', () => {
  const insertMail = async (text: string) => {
    const payload = encrypt(text, 'mail');
    await database().query(`INSERT INTO outbox (id, kind, payload_encrypted) VALUES ($1, 'MAIL', $2)`, [
      newId(),
      payload,
    ]);
    await database().query(`SELECT pg_notify('eds_outbox', '')`);
    return payload;
  };

  it('is sent once and leaves the outbox, by one of two workers', async () => {
    const sent: Buffer[] = [];
    const sendMail = async (payload: Uint8Array) => void sent.push(Buffer.from(payload));
    const payloads = [await insertMail('one'), await insertMail('two')];
    await startWorker({ sendMail });
    await startWorker({ sendMail });
    await waitFor('an empty outbox', async () => (await readOutbox()).length === 0);
    expect(new Set(sent.map((each) => each.toString('hex')))).toEqual(
      new Set(payloads.map((each) => each.toString('hex'))),
    );
    expect(sent).toHaveLength(2);
  });

  it('that the mail server does not take is tried again later', async () => {
    let tries = 0;
    await insertMail('one');
    await startWorker({
      sendMail: async () => {
        tries += 1;
        if (tries === 1) throw new Error('the mail server did not take the mail (421)');
      },
    });
    await waitFor('the first try', async () => (await readOutbox())[0]?.attempts === 1);
    expect(await readOutbox()).toMatchObject([{ last_error: 'the mail server did not take the mail (421)' }]);
    await database().query('UPDATE outbox SET available_at = now()');
    await waitFor('an empty outbox', async () => (await readOutbox()).length === 0);
    expect(tries).toBe(2);
  });
});
