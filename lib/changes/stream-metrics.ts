import { setGauge } from '@/lib/platform/metrics';
import type { Collector } from '@/lib/platform/metrics-collectors';
import { streamCounts } from './stream-counts';

/** The open streams of changes of this process. */
export const CHANGE_STREAMS: Collector = {
  name: 'change_streams',
  collect: async () => {
    setGauge({ name: 'change_streams_open', help: 'Open streams of changes of this process' }, streamCounts().open);
  },
};
