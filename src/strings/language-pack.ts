import type { DiagramStrings, MathStrings } from './diagram-and-math.ts'
import type { SchemaFormStrings } from './form.ts'
import type { JobStrings } from './jobs.ts'
import type { PromptStrings } from './prompts.ts'
import type { TaskStrings } from './tasks.ts'
import type { ThreadListStrings } from './threads.ts'

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
