import { describe, expect, it, onTestFinished } from 'vitest';
import { sendOnce } from '@/lib/delivery/engine/send-once';
import { database } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import { startTracing } from '@/lib/platform/tracing/start-tracing';
import { useDatabase } from '@/tests/database/use-database';
import { isSettled, startWorker } from '@/tests/delivery/worker';
import { insertEndpoint } from '@/tests/fixtures/deliveries';
import { useProjects } from '@/tests/fixtures/projects';
import { sourceTools } from '@/tests/fixtures/sources';
import { sendThroughNode, useWebServer } from '@/tests/http/adapters';
import { callOver } from '@/tests/http/api-request';
import { respondWith, startReceiver, waitFor } from '@/tests/http/receiver';
import { type CollectedSpan, startCollector } from './trace-collector';

useDatabase({ DELIVERY_RETRY_SECONDS: '0' });
const projects = useProjects();
const server = useWebServer();
const { makeSource, makeDestination, deliveriesOf } = sourceTools(() => projects.mine);
const call = callOver(sendThroughNode(server.port));

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const CALLER = `00-${TRACE}-00f067aa0ba902b7-01`;

/** Turns tracing on, to a collector; `finish` sends the last spans and returns all. */
async function startTraces(variables: Record<string, string> = {}) {
  const collector = await startCollector();
  const all = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_BSP_SCHEDULE_DELAY: '50', ...variables };
  Object.assign(process.env, all);
  const stop = await startTracing('web', process.env);
  onTestFinished(async () => {
    await stop();
    for (const name of Object.keys(all)) delete process.env[name];
  });
  return {
    collector,
    finish: async () => {
      await stop();
      return collector.spans;
    },
  };
}

async function sendEvent(headers: Record<string, string>): Promise<string> {
  const body = { type: 'order.paid', data: { card: '4111-payload' } };
  const sent = await call<{ id: string }>('POST', '/api/v1/events', { apiKey: projects.mine.key, body, headers });
  expect(sent.status).toBe(202);
  return sent.json.id;
}

const named = (spans: CollectedSpan[], name: string) => spans.filter((span) => span.name === name);

describe('without a collector', () => {
  it('a receiver gets the trace context that the sender of the event sent, at every attempt', async () => {
    const receiver = await startReceiver((response, index) =>
      respondWith(index === 0 ? 500 : 200, 'x')(response, index, {} as never),
    );
    const endpoint = await insertEndpoint({ url: receiver.url, projectId: projects.mine.id });
    await startWorker();
    await sendEvent({ traceparent: CALLER });
    await waitFor('the retry', isSettled(endpoint.id, 1));
    expect(receiver.received.map(({ headers }) => headers.traceparent)).toEqual([CALLER, CALLER]);
    await database().query('UPDATE endpoints SET enabled = false');
  });

  it('a receiver gets no trace context when the sender sent none that is valid', async () => {
    const receiver = await startReceiver();
    const endpoint = await insertEndpoint({ url: receiver.url, projectId: projects.mine.id });
    await startWorker();
    await sendEvent({ traceparent: `00-${'0'.repeat(32)}-00f067aa0ba902b7-01` });
    await waitFor('the delivery', isSettled(endpoint.id, 1));
    expect(receiver.received[0]?.headers).not.toHaveProperty('traceparent');
    await database().query('UPDATE endpoints SET enabled = false');
  });
});

describe('with a collector', () => {
  it('one trace leads from the request of the sender through the outbox to each attempt at the receiver', async () => {
    const { finish } = await startTraces();
    const receiver = await startReceiver((response, index) =>
      respondWith(index === 0 ? 500 : 200, 'x')(response, index, {} as never),
    );
    const endpoint = await insertEndpoint({ url: receiver.url, projectId: projects.mine.id });
    await startWorker();
    const eventId = await sendEvent({ traceparent: CALLER });
    await waitFor('the retry', isSettled(endpoint.id, 1));
    const spans = (await finish()).filter(({ traceId }) => traceId === TRACE);
    const [request] = named(spans, 'POST /api/v1/events');
    expect(request).toMatchObject({
      parentSpanId: '00f067aa0ba902b7',
      kind: 2,
      attributes: {
        'http.route': '/api/v1/events',
        'http.response.status_code': 202,
        'eds.project.id': projects.mine.id,
      },
      resource: { 'service.name': 'event-delivery-web', 'eds.part': 'web' },
    });
    for (const name of ['store event', 'fan out', 'delivery attempt']) {
      for (const span of named(spans, name)) expect(span.parentSpanId, name).toBe(request?.spanId);
      expect(named(spans, name).map(({ attributes }) => attributes['eds.event.id'])).toContain(eventId);
    }
    const attempts = named(spans, 'delivery attempt');
    expect(attempts.map(({ attributes }) => attributes['eds.delivery.attempt'])).toEqual([1, 2]);
    expect(attempts.map(({ status }) => status.code ?? 0)).toEqual([2, 0]);
    expect(attempts[1]?.attributes).toMatchObject({ 'eds.endpoint.id': endpoint.id, 'http.response.status_code': 200 });
    // Each attempt is the parent of what the receiver does.
    expect(receiver.received.map(({ headers }) => headers.traceparent)).toEqual(
      attempts.map(({ spanId }) => `00-${TRACE}-${spanId}-01`),
    );
    expect(JSON.stringify(spans)).not.toMatch(/4111-payload|127\.0\.0\.1|eds_/);
    await database().query('UPDATE endpoints SET enabled = false');
  });

  it('one trace leads from the request of a provider to the forward', async () => {
    const { finish } = await startTraces();
    const receiver = await startReceiver();
    const source = await makeSource();
    await makeDestination(source, receiver);
    await startWorker();
    const headers = { traceparent: CALLER, tracestate: 'vendor=1' };
    const sent = await call<{ id: string }>('POST', new URL(source.url).pathname, { body: { paid: true }, headers });
    expect(sent.status).toBe(202);
    await waitFor('the forward', async () => receiver.received.length === 1);
    await waitFor('its record', async () => (await deliveriesOf(sent.json.id))[0]?.status === 'SUCCEEDED');
    const spans = (await finish()).filter(({ traceId }) => traceId === TRACE);
    expect(spans.map(({ name }) => name).sort()).toEqual(
      ['POST /api/v1/ingress/{token}', 'delivery attempt', 'fan out', 'store incoming event'].sort(),
    );
    const [attempt] = named(spans, 'delivery attempt');
    expect(attempt?.attributes['eds.incoming_event.id']).toBe(sent.json.id);
    expect(receiver.received[0]?.headers).toMatchObject({
      traceparent: `00-${TRACE}-${attempt?.spanId}-01`,
      tracestate: 'vendor=1',
    });
  });

  it('an attempt shows the trace context that it sent', async () => {
    await startTraces();
    const receiver = await startReceiver();
    const endpoint = await insertEndpoint({ url: receiver.url, projectId: projects.mine.id });
    await startWorker();
    await sendEvent({});
    await waitFor('the delivery', isSettled(endpoint.id, 1));
    const { rows } = await database().query(
      `SELECT a.id, a.delivery_id FROM delivery_attempts a JOIN deliveries d ON d.id = a.delivery_id WHERE d.endpoint_id = $1`,
      [endpoint.id],
    );
    const path = `/api/v1/projects/${projects.mine.id}/deliveries/${rows[0].delivery_id}/attempts/${rows[0].id}`;
    const { json } = await call<{ request: { headers: string[][] } }>('GET', path, { apiKey: projects.mine.key });
    const sent = receiver.received[0]?.headers.traceparent;
    expect(sent).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
    expect(json.request.headers).toContainEqual(['traceparent', sent]);
    await database().query('UPDATE endpoints SET enabled = false');
  });

  it('pages and refused requests have a span, without their URL', async () => {
    const { finish } = await startTraces();
    await call('GET', '/reset-password?token=tok_in_url');
    await call('GET', `/api/v1/projects/${newId()}/events?cursor=tok_in_url`);
    const spans = await finish();
    expect(spans.map(({ name }) => name).sort()).toEqual(['GET (other)', 'GET /api/v1/projects/{projectId}/events']);
    expect(JSON.stringify(spans)).not.toContain('tok_in_url');
  });

  it('the standard variables set the name of the service, headers, and the share of the traces', async () => {
    const { collector, finish } = await startTraces({
      OTEL_SERVICE_NAME: 'hooks',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20abc',
      OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '0',
    });
    await call('GET', '/not-sampled');
    await call('GET', '/sampled-by-its-caller', { headers: { traceparent: CALLER } });
    const spans = await finish();
    expect(spans.map(({ traceId }) => traceId)).toEqual([TRACE]);
    expect(spans[0]?.resource).toMatchObject({ 'service.name': 'hooks', 'deployment.environment.name': 'test' });
    expect(collector.headers()).toMatchObject({ authorization: 'Bearer abc' });
  });

  it('an unreachable collector delays and fails no request', async () => {
    await startTraces({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' });
    const startedAt = performance.now();
    for (let index = 0; index < 20; index += 1) expect((await call('GET', '/api/health/live')).status).toBe(200);
    expect(performance.now() - startedAt).toBeLessThan(5_000);
  });

  it('a test of an endpoint has an own trace context only when its caller gives one', async () => {
    const receiver = await startReceiver();
    const event = { id: newId(), type: 'test', timestamp: new Date().toISOString(), data: '{}' };
    await sendOnce({ url: receiver.url, secrets: [] }, event);
    await sendOnce({ url: receiver.url, secrets: [] }, event, { traceparent: CALLER });
    expect(receiver.received.map(({ headers }) => headers.traceparent)).toEqual([undefined, CALLER]);
  });
});
