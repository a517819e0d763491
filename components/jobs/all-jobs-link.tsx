'use client';

import { useProjectPath } from '@/components/projects/use-projects';
import { Button } from '@/components/ui/button';
import { Link } from '@/components/ui/link';

/** Leads from where a job was started to all jobs of the project. */
export function AllJobsLink() {
  const jobs = useProjectPath('jobs');
  return (
    <Button asChild size="sm" variant="ghost">
      <Link href={jobs}>All jobs</Link>
    </Button>
  );
}
