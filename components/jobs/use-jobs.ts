'use client';

import { useEffect } from 'react';
import { apiFetch } from '@/components/auth-session/api-fetch';
import { usePages } from '@/components/data-table/use-pages';
import { useProjectPath } from '@/components/projects/use-projects';
import type { Job } from '@/lib/jobs/schema';
import { cancelPathOf } from './describe-job';

const RUNNING_MS = 1000;
/** Somebody else may start one. */
const IDLE_MS = 10_000;

/** Loads the jobs of the project, follows them, and returns the action that cancels one. */
export function useJobs() {
  const project = useProjectPath('');
  const pages = usePages<Job>(`${project}jobs`);
  const { firstRows, reload, reloadFirst } = pages;
  const isRunning = firstRows?.some(({ status }) => status === 'RUNNING') ?? false;
  useEffect(() => {
    const follow = () => {
      if (document.visibilityState === 'visible') void reloadFirst();
    };
    const timer = setInterval(follow, isRunning ? RUNNING_MS : IDLE_MS);
    return () => clearInterval(timer);
  }, [reloadFirst, isRunning]);
  return {
    pages,
    cancel: async (job: Job) => {
      await apiFetch(`${project}${cancelPathOf(job)}`, { method: 'POST' });
      await reload();
    },
  };
}
