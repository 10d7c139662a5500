import { englishDiagram, englishMath } from './diagram-and-math.ts'
import { englishForm } from './form.ts'
import { englishJobs } from './jobs.ts'
import type { LanguagePack } from './language-pack.ts'
import { englishPrompts } from './prompts.ts'
import { englishTasks } from './tasks.ts'
import { englishThreads } from './threads.ts'

/** The pack of English, for apps that change some of its strings. No component imports it: each has those it shows. */
export const englishPack: LanguagePack = {
  diagram: englishDiagram,
  form: englishForm,
  jobs: englishJobs,
  math: englishMath,
  prompts: englishPrompts,
  tasks: englishTasks,
  threads: englishThreads,
}
