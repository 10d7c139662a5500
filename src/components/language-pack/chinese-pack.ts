import { chineseJobs } from '../job-strings/chinese-jobs.ts'
import { chinesePrompts } from '../prompt-strings/chinese-prompts.ts'
import { chineseForm } from '../form-strings/chinese-form.ts'
import { chineseTasks } from '../task-strings/chinese-tasks.ts'
import { chineseThreads } from '../thread-strings/chinese-threads.ts'
import type { LanguagePack } from './language-pack.ts'

export const chinesePack: LanguagePack = {
  diagram: {
    diagram: '图表',
    showSource: '显示源代码',
    showPicture: '显示图表',
    invalid: '此图表有错误，因此显示其源代码。',
    unavailable: '无法绘制此图表，因此显示其源代码。',
  },
  form: chineseForm,
  jobs: chineseJobs,
  math: {
    formula: '公式',
    failed: '无法显示的公式',
    tooLong: '公式太长。',
  },
  prompts: chinesePrompts,
  tasks: chineseTasks,
  threads: chineseThreads,
}
