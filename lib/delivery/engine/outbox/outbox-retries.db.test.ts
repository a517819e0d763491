import { beforeEach, describe, expect, it } from 'vitest';
import { database } from '@/lib/platform/db';
import { encrypt } from '@/lib/platform/encryption';
import { newId } from '@/lib/platform/ids';
import { useDatabase } from '@/tests/database/use-database';
import { isSettled, startWorker } from '@/tests/delivery/worker';
import { insertEndpoint, insertEvents } from '@/tests/fixtures/deliveries';
import { readOutbox, takeFrom } from '@/tests/fixtures/outbox';
import { startReceiver, waitFor } from '@/tests/http/receiver';
import { rescheduleEntry } from './outbox-failures';
import { takeQuarantined } from './take-entries';

useDatabase();

beforeEach(() => database().query('DELETE FROM outbox'));

const URL = 'http://receiver.test/';

describe('an outbox row that fails', () => {
  it('is not rescheduled if another worker has taken it meanwhile', async () => {
    const endpoint = await insertEndpoint({ url: URL });
    await insertEvents(endpoint.projectId, 1);
    const [first] = (await takeFrom(endpoint.projectId)).entries;
    await database().query('UPDATE outbox SET available_at = now()');
    const [second] = (await takeFrom(endpoint.projectId)).entries;
    if (first === undefined || second === undefined) throw new Error('nothing was taken');
    await rescheduleEntry(database(), first.entry, new Error('late'));
    expect(await readOutbox()).toMatchObject([{ attempts: 2, last_error: null }]);
    await rescheduleEntry(database(), second.entry, new Error('in time'));
    expect(await readOutbox()).toMatchObject([{ attempts: 2, last_error: 'in time' }]);
  });

  it('is taken with few others the third time, and with fewer the next time', async () => {
    const endpoint = await insertEndpoint({ url: URL });
    await insertEvents(endpoint.projectId, 30);
    const comeBack = () => database().query('UPDATE outbox SET available_at = now()');
    for (let takes = 1; takes <= 2; takes += 1) {
      expect((await takeFrom(endpoint.projectId)).entries).toHaveLength(30);
      await comeBack();
    }
    expect((await takeFrom(endpoint.projectId)).entries).toHaveLength(0);
    const third = await takeQuarantined(database(), 16);
    expect(third.entries.map(({ entry }) => entry.takes)).toEqual(Array.from({ length: 16 }, () => 3));
    await comeBack();
    const fourth = await takeQuarantined(database(), 4);
    expect(fourth.entries.map(({ entry }) => entry.takes)).toEqual([4, 4, 4, 4]);
  });

  it('is retried with growing delays until it is a dead letter, and does not delay the others', async () => {
    const receiver = await startReceiver();
    const endpoint = await insertEndpoint({ url: receiver.url });
    const [bad] = await insertEvents(endpoint.projectId, 1, { type: 'bad' });
    await database().query(`
      CREATE FUNCTION refuse_bad() RETURNS trigger LANGUAGE plpgsql AS $$ DECLARE is_bad boolean; BEGIN
        EXECUTE format('SELECT type = ''bad'' FROM %I.events WHERE id = $1', TG_TABLE_SCHEMA) INTO is_bad USING NEW.event_id;
        IF is_bad THEN RAISE EXCEPTION 'refused for the test'; END IF;
        RETURN NEW; END $$`);
    await database().query(`
      CREATE TRIGGER refuse_bad BEFORE INSERT ON deliveries FOR EACH ROW EXECUTE FUNCTION refuse_bad()`);
    await insertEvents(endpoint.projectId, 3);
    const startedAt = Date.now();
    await startWorker();
    await waitFor('the good ones', isSettled(endpoint.id, 3));
    await waitFor('the bad one', async () => (await readOutbox())[0]?.attempts === 1);
    const [first] = await readOutbox();
    expect(first).toMatchObject({ event_id: bad, status: 'PENDING', last_error: 'refused for the test' });
    expect(first.available_at.getTime() - startedAt).toBeGreaterThanOrEqual(5_000);
    await database().query('UPDATE outbox SET attempts = 8');
    for (let attempts = 9; attempts <= 10; attempts += 1) {
      await waitFor('the next try', async () => {
        await database().query('UPDATE outbox SET available_at = now() WHERE attempts < $1', [attempts]);
        await database().query(`SELECT pg_notify('eds_outbox', '')`);
        return (await readOutbox())[0]?.attempts === attempts;
      });
    }
    await waitFor('its end', async () => (await readOutbox())[0]?.status === 'DEAD');
    const [last] = await readOutbox();
    expect(last).toMatchObject({ status: 'DEAD', attempts: 10 });
    expect(last.dead_at).not.toBeNull();
    await database().query('DROP TRIGGER refuse_bad ON deliveries');
    await database().query('DELETE FROM outbox');
  });
});

describe('a mail', () => {
  const insertMail = async (text: string) => {
    const payload = encrypt(text, 'mail');
    await database().query(`INSERT INTO mails (id, payload_encrypted) VALUES ($1, $2)`, [newId(), payload]);
    await database().query(`SELECT pg_notify('eds_outbox', '')`);
    return payload;
  };

  const readMails = async () => (await database().query('SELECT * FROM mails ORDER BY id')).rows;

  it('is sent once by one of two workers, and removed', async () => {
    const sent: Buffer[] = [];
    const sendMail = async (payload: Uint8Array) => void sent.push(Buffer.from(payload));
    const payloads = [await insertMail('one'), await insertMail('two')];
    await startWorker({ sendMail });
    await startWorker({ sendMail });
    await waitFor('an empty queue', async () => (await readMails()).length === 0);
    expect(new Set(sent.map((each) => each.toString('hex')))).toEqual(
      new Set(payloads.map((each) => each.toString('hex'))),
    );
    expect(sent).toHaveLength(2);
  });

  it('is retried later if the mail server does not accept it', async () => {
    let tries = 0;
    await insertMail('one');
    await startWorker({
      sendMail: async () => {
        tries += 1;
        if (tries === 1) throw new Error('mail server rejected the mail (421)');
      },
    });
    await waitFor('the first try', async () => (await readMails())[0]?.attempts === 1);
    expect(await readMails()).toMatchObject([{ last_error: 'mail server rejected the mail (421)' }]);
    await database().query('UPDATE mails SET available_at = now()');
    await waitFor('an empty queue', async () => (await readMails()).length === 0);
    expect(tries).toBe(2);
  });

  it('keeps its content until it is a dead letter, and its error afterwards', async () => {
    const payload = await insertMail('one');
    await database().query('UPDATE mails SET attempts = 22');
    await startWorker({
      sendMail: async () => {
        throw new Error('mail server rejected the mail (550)');
      },
    });
    await waitFor('the try before the last', async () => (await readMails())[0]?.attempts === 23);
    expect(await readMails()).toMatchObject([{ status: 'PENDING', payload_encrypted: payload }]);
    await database().query('UPDATE mails SET available_at = now()');
    await waitFor('the last try', async () => (await readMails())[0]?.status === 'DEAD');
    expect(await readMails()).toMatchObject([
      { payload_encrypted: Buffer.alloc(0), last_error: 'mail server rejected the mail (550)' },
    ]);
    await database().query('DELETE FROM mails');
  });
});
