'use client';

import { Select } from '@/components/ui/select';
import { useReader } from './reader-context';
import { SignInLink } from './sign-in-link';

/** Says whose project the examples have, and lets a reader with several choose. */
export function ReaderBar() {
  const { status, organizations, projectId, chooseProject } = useReader();
  const projects = organizations.flatMap((organization) =>
    organization.projects.map(({ id, name }) => ({ value: id, label: name, description: organization.name })),
  );
  if (status === 'signed-out') {
    return (
      <p className="text-muted text-sm">
        <SignInLink className="font-medium text-accent-text hover:underline">Sign in</SignInLink> to use your project in
        the examples.
      </p>
    );
  }
  if (projects.length === 0) return <div className="h-8" />;
  return (
    <div className="flex flex-wrap items-center gap-2">
      <span className="text-muted text-sm">Examples use</span>
      <Select
        aria-label="Project of the examples"
        value={projectId}
        onValueChange={chooseProject}
        options={projects}
        className="h-8 w-52"
      />
    </div>
  );
}
