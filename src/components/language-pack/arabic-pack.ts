import { arabicJobs } from '../job-strings/arabic-jobs.ts'
import { arabicPrompts } from '../prompt-strings/arabic-prompts.ts'
import { arabicForm } from '../form-strings/arabic-form.ts'
import { arabicTasks } from '../task-strings/arabic-tasks.ts'
import { arabicThreads } from '../thread-strings/arabic-threads.ts'
import type { LanguagePack } from './language-pack.ts'

export const arabicPack: LanguagePack = {
  diagram: {
    diagram: 'مخطط',
    showSource: 'عرض المصدر',
    showPicture: 'عرض المخطط',
    invalid: 'في هذا المخطط خطأ، لذلك يُعرض مصدره.',
    unavailable: 'تعذّر رسم هذا المخطط، لذلك يُعرض مصدره.',
  },
  form: arabicForm,
  jobs: arabicJobs,
  math: {
    formula: 'صيغة رياضية',
    failed: 'صيغة رياضية تعذّر عرضها',
    tooLong: 'إنها طويلة جدًا.',
  },
  prompts: arabicPrompts,
  tasks: arabicTasks,
  threads: arabicThreads,
}
