import type { ReactElement, ReactNode } from 'react'
import { DictionaryProvider } from '../../src/components/dictionary/dictionary-context.tsx'
import { JobStringsProvider } from '../../src/components/dictionary/job-strings-context.tsx'
import { TaskStringsProvider } from '../../src/components/dictionary/task-strings-context.tsx'
import { LANGUAGES } from './tasks.ts'

interface InLanguageProps {
  readonly language: keyof typeof LANGUAGES
  readonly children: ReactNode
}

/** Parts of tasks and jobs in another language. */
export function InLanguage({ language, children }: InLanguageProps): ReactElement {
  const { strings, tasks, jobs, ...direction } = LANGUAGES[language]
  return (
    <DictionaryProvider strings={strings}>
      <TaskStringsProvider strings={tasks}>
        <JobStringsProvider strings={jobs}>
          <div lang={strings.language.lang} {...direction}>
            {children}
          </div>
        </JobStringsProvider>
      </TaskStringsProvider>
    </DictionaryProvider>
  )
}
