import { api } from '@/lib/api/table';
import { toNext } from '@/lib/http/next-adapter';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = toNext('/downloads/eds.tgz', api['/downloads/eds.tgz']);
