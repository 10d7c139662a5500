import { germanJobs } from '../job-strings/german-jobs.ts'
import { germanPrompts } from '../prompt-strings/german-prompts.ts'
import { germanForm } from '../form-strings/german-form.ts'
import { germanTasks } from '../task-strings/german-tasks.ts'
import { germanThreads } from '../thread-strings/german-threads.ts'
import type { LanguagePack } from './language-pack.ts'

export const germanPack: LanguagePack = {
  diagram: {
    diagram: 'Diagramm',
    showSource: 'Quelltext anzeigen',
    showPicture: 'Diagramm anzeigen',
    invalid: 'Dieses Diagramm enthält einen Fehler, deshalb siehst du seinen Quelltext.',
    unavailable: 'Dieses Diagramm konnte nicht gezeichnet werden, deshalb siehst du seinen Quelltext.',
  },
  form: germanForm,
  jobs: germanJobs,
  math: {
    formula: 'Formel',
    failed: 'Formel, die nicht angezeigt werden konnte',
    tooLong: 'Sie ist zu lang.',
  },
  prompts: germanPrompts,
  tasks: germanTasks,
  threads: germanThreads,
}
