import type { DiagramStrings } from './diagram-strings.ts'
import type { JobStrings } from '../job-strings/job-strings.ts'
import type { MathStrings } from './math-strings.ts'
import type { PromptStrings } from '../prompt-strings/prompt-strings.ts'
import type { SchemaFormStrings } from '../form-strings/schema-form-strings.ts'
import type { TaskStrings } from '../task-strings/task-strings.ts'
import type { ThreadListStrings } from '../thread-strings/thread-list-strings.ts'

/** The strings of one language that are not in the dictionary: those of components that only some pages show. One chunk. */
export interface LanguagePack {
  readonly diagram: DiagramStrings
  readonly form: SchemaFormStrings
  readonly jobs: JobStrings
  readonly math: MathStrings
  readonly prompts: PromptStrings
  readonly tasks: TaskStrings
  readonly threads: ThreadListStrings
}
