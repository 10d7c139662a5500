'use client'
export { JobCard, type JobCardProps } from './components/job-card/job-card.tsx'
export { arabicJobs } from './components/job-strings/arabic-jobs.ts'
export { chineseJobs } from './components/job-strings/chinese-jobs.ts'
export { englishJobs } from './components/job-strings/english-jobs.ts'
export { germanJobs } from './components/job-strings/german-jobs.ts'
export type { JobState, JobStrings, LogLevel, SessionPhase } from './components/job-strings/job-strings.ts'
export {
  JobStringsProvider,
  type JobStringsProviderProps,
  useJobStrings,
} from './components/language-pack/job-strings-context.tsx'
export { type LogViewerEntry, LogViewer, type LogViewerProps } from './components/log-viewer/log-viewer.tsx'
export { SessionStatus, type SessionStatusProps } from './components/session-status/session-status.tsx'
export {
  type SubscribedEvent,
  type SubscriptionStatus,
  SubscriptionViewer,
  type SubscriptionViewerProps,
} from './components/subscription-viewer/subscription-viewer.tsx'
export { CostMeter, type CostMeterProps } from './components/usage-meter/cost-meter.tsx'
export { TokenMeter, type TokenMeterProps } from './components/usage-meter/token-meter.tsx'
