'use client'
import type { ReactNode } from 'react'
import { createContext, useContext } from 'react'
import { usePack } from './use-pack.ts'
import { englishJobs } from '../../strings/jobs.ts'
import type { JobStrings } from '../../strings/jobs.ts'

const JobStringsContext = createContext<JobStrings | undefined>(undefined)

export interface JobStringsProviderProps {
  /** The strings of jobs, sessions, logs, meters and subscriptions inside. */
  readonly strings: JobStrings
  /** Components that use these strings. Absent: none. */
  readonly children?: ReactNode
}

/**
 * Renders its children with the words of jobs. Without one, the words are those of the dictionary's language, which are fetched
 * when the first of these components is shown: it renders nothing until they are here. A server that renders another language than
 * English needs the provider.
 *
 * @example
 * ```tsx
 * import { JobCard, JobStringsProvider } from 'capstan/components'
 * import { germanPack } from 'capstan/locales'
 *
 * export const Survey = () => (
 *   <JobStringsProvider strings={germanPack.jobs}>
 *     <JobCard title="Nordufer vermessen" state="running" />
 *   </JobStringsProvider>
 * )
 * ```
 */
export function JobStringsProvider({ strings, children }: JobStringsProviderProps): ReactNode {
  return <JobStringsContext.Provider value={strings}>{children}</JobStringsContext.Provider>
}

/**
 * The words of jobs. Undefined while those of the dictionary's language are fetched, so that no one reads in two languages.
 *
 * @example
 * ```tsx
 * import { useJobStrings } from 'capstan/components'
 *
 * export function StopWord() {
 *   return <span>{useJobStrings()?.job.stop}</span>
 * }
 * ```
 */
export function useJobStrings(): JobStrings | undefined {
  return usePack('jobs', englishJobs, useContext(JobStringsContext))
}
