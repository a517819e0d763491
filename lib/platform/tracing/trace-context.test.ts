import { describe, expect, it } from 'vitest';
import { isTracingOn } from './start-tracing';
import { readTraceparent } from './tracer';

const IDS = '4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7';

describe('the header traceparent', () => {
  it.each([`00-${IDS}-01`, `00-${IDS}-00`, `00-${IDS}-ff`])('is kept when it is valid: %s', (header) => {
    expect(readTraceparent(header)).toBe(header);
  });

  it.each([`01-${IDS}-01`, `cc-${IDS}-01-what-the-future-adds`])(
    'of a newer version is read as version 00: %s',
    (header) => {
      expect(readTraceparent(header)).toBe(`00-${IDS}-01`);
    },
  );

  it.each([
    null,
    '',
    'x',
    `00-${IDS}`,
    `00-${IDS}-01-more`,
    `00-${IDS}-01, 00-${IDS}-01`,
    `00-${IDS.toUpperCase()}-01`,
    `ff-${IDS}-01`,
    `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`,
    `00-4bf92f3577b34da6a3ce929d0e0e4736-${'0'.repeat(16)}-01`,
    `01-${'0'.repeat(32)}-00f067aa0ba902b7-01`,
    `00-${IDS}-01\r\nx: y`,
  ])('is ignored when it is invalid: %s', (header) => {
    expect(readTraceparent(header)).toBeNull();
  });
});

describe('tracing', () => {
  const url = 'http://collector:4318';

  it.each([
    { OTEL_EXPORTER_OTLP_ENDPOINT: url },
    { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${url}/v1/traces` },
    { OTEL_TRACES_EXPORTER: 'otlp' },
    { OTEL_TRACES_EXPORTER: 'console, otlp' },
    { OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_SDK_DISABLED: 'false' },
  ])('is on with %o', (variables) => {
    expect(isTracingOn(variables as unknown as NodeJS.ProcessEnv)).toBe(true);
  });

  it.each([
    {},
    { OTEL_EXPORTER_OTLP_ENDPOINT: '' },
    { OTEL_SERVICE_NAME: 'hooks' },
    { OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_SDK_DISABLED: 'TRUE' },
    { OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_TRACES_EXPORTER: 'none' },
    { OTEL_TRACES_EXPORTER: 'console' },
  ])('is off with %o', (variables) => {
    expect(isTracingOn(variables as unknown as NodeJS.ProcessEnv)).toBe(false);
  });
});
