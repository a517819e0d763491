import type { CodeSample } from '@/components/ui/code-tabs';
import { curlSample } from './curl-sample';
import { nodeSample } from './node-sample';
import { pythonSample } from './python-sample';
import type { SampleRequest, SampleValues } from './sample-request';

/** The languages of examples, in the order of their tabs. */
export const SAMPLE_LANGUAGES = ['curl', 'Node', 'Python'] as const;

/** Returns the examples of a request, one per language; none for a WebSocket, which needs a client. */
export function makeSamples(request: SampleRequest, values: SampleValues): CodeSample[] {
  if (request.responds === 'socket') return [];
  return [
    { name: 'curl', language: 'shell', code: curlSample(request, values) },
    { name: 'Node', language: 'javascript', code: nodeSample(request, values) },
    { name: 'Python', language: 'python', code: pythonSample(request, values) },
  ];
}
