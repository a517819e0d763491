import { subtrees } from '@/lib/api/table';
import { toNext } from '@/lib/http/next-adapter';

// What no other route below matches, when Next is asked directly; the web entry answers it before Next.
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = toNext('/api/v1/admin', subtrees['/api/v1/admin']);
