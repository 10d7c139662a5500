import type { ReactElement, ReactNode } from 'react'
import { DictionaryProvider } from '../../src/components/dictionary/dictionary-context.tsx'
import { TaskStringsProvider } from '../../src/components/task-strings/task-strings-context.tsx'
import { LANGUAGES } from './tasks.ts'

interface InLanguageProps {
  readonly language: keyof typeof LANGUAGES
  readonly children: ReactNode
}

/** Parts of tasks in another language. */
export function InLanguage({ language, children }: InLanguageProps): ReactElement {
  const { strings, tasks, ...direction } = LANGUAGES[language]
  return (
    <DictionaryProvider strings={strings}>
      <TaskStringsProvider strings={tasks}>
        <div lang={strings.language.lang} {...direction}>
          {children}
        </div>
      </TaskStringsProvider>
    </DictionaryProvider>
  )
}
