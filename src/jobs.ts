'use client'
export { JobCard, type JobCardProps } from './components/job-card.tsx'
export { arabicJobs } from './strings/arabic-pack.ts'
export { chineseJobs } from './strings/chinese-pack.ts'
export { englishJobs } from './strings/jobs.ts'
export { germanJobs } from './strings/german-pack.ts'
export type { JobState, JobStrings, LogLevel, SessionPhase } from './strings/jobs.ts'
export {
  JobStringsProvider,
  type JobStringsProviderProps,
  useJobStrings,
} from './components/dictionary/job-strings-context.tsx'
export { type LogViewerEntry, LogViewer, type LogViewerProps } from './components/log-viewer.tsx'
export { SessionStatus, type SessionStatusProps } from './components/session-status.tsx'
export {
  type SubscribedEvent,
  type SubscriptionStatus,
  SubscriptionViewer,
  type SubscriptionViewerProps,
} from './components/subscription-viewer.tsx'
export { CostMeter, type CostMeterProps, TokenMeter, type TokenMeterProps } from './components/usage-meter.tsx'
