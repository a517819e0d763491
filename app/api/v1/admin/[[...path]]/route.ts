import { subtrees } from '@/lib/api/table';
import { toNext } from '@/lib/http/next-adapter';

// Unknown paths below /api/v1/admin in requests that reach Next directly; the web entry answers them before Next.
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = toNext('/api/v1/admin', subtrees['/api/v1/admin']);
