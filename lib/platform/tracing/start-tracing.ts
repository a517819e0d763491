import { setTimeout as sleep } from 'node:timers/promises';
import type { Part } from '@/lib/platform/config/parts';
import { log } from '@/lib/platform/log';
import { makeOtelTracer } from './otel-tracer';
import { setTracer } from './tracer';

/** How long a stopping process waits for the collector. */
const CLOSING_MS = 400;

/**
 * Whether the standard variables turn tracing on: OTEL_TRACES_EXPORTER=otlp, or an endpoint of OTLP. OTEL_SDK_DISABLED=true and
 * OTEL_TRACES_EXPORTER=none turn it off.
 */
export function isTracingOn(env: NodeJS.ProcessEnv): boolean {
  if (env.OTEL_SDK_DISABLED?.toLowerCase() === 'true') return false;
  const exporter = env.OTEL_TRACES_EXPORTER?.trim() ?? '';
  if (exporter !== '') return exporter.split(',').some((name) => name.trim() === 'otlp');
  return [env.OTEL_EXPORTER_OTLP_ENDPOINT, env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT].some(
    (endpoint) => endpoint !== undefined && endpoint !== '',
  );
}

/**
 * Starts tracing when the variables OTEL_* ask for it. While it is off, no module of OpenTelemetry is loaded.
 *
 * @returns a function that sends the last spans, within half a second, and ends tracing
 */
export async function startTracing(part: Part, env: NodeJS.ProcessEnv): Promise<() => Promise<void>> {
  if (!isTracingOn(env)) return async () => undefined;
  const made = await makeOtelTracer(part);
  setTracer(made);
  const protocol = env.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL || env.OTEL_EXPORTER_OTLP_PROTOCOL || 'http/json';
  if (protocol !== 'http/json') log().warn({ protocol }, 'spans are sent as http/json, the only supported protocol');
  return async () => {
    setTracer(undefined);
    const closed = made
      .close()
      .catch((error: unknown) => log().warn({ err: error }, 'last spans could not be exported'));
    await Promise.race([closed, sleep(CLOSING_MS, undefined, { ref: false })]);
  };
}
