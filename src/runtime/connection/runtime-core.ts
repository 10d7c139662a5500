import type { Environment } from '../../base/ports/environment.ts'
import type { ArcpCapabilities } from '../../protocols/arcp/schema/session.ts'
import type { MessageWriter } from '../../protocols/arcp/write-message.ts'
import type { Artifacts } from '../job/artifacts.ts'
import type { Jobs } from '../job/jobs.ts'
import type { Streams } from '../job/job-streams.ts'
import type { Leases } from '../job/leases.ts'
import type { Prompts } from '../job/prompts.ts'
import type { ArcpRuntimeOptions } from './runtime-options.ts'
import type { Sessions } from '../session/sessions.ts'
import type { Subscriptions } from '../subscription/subscriptions.ts'

/** What the connections of a runtime share. */
export interface RuntimeCore {
  readonly options: ArcpRuntimeOptions
  readonly environment: Pick<Environment, 'clock' | 'uuid' | 'report'>
  /** What the runtime can do. */
  readonly offered: ArcpCapabilities
  readonly writer: MessageWriter
  /** A new id behind a prefix such as `job_`. */
  id(prefix: string): string
  readonly sessions: Sessions
  readonly jobs: Jobs
  readonly prompts: Prompts
  readonly leases: Leases
  readonly streams: Streams
  readonly artifacts: Artifacts
  readonly subscriptions: Subscriptions
}
