'use client'
export { ThreadList, type ThreadListProps } from './components/thread-list/thread-list.tsx'
export { arabicThreads } from './components/thread-strings/arabic-threads.ts'
export { chineseThreads } from './components/thread-strings/chinese-threads.ts'
export { germanThreads } from './components/thread-strings/german-threads.ts'
export {
  englishThreads,
  type NotSaved,
  type ThreadListStrings,
} from './components/thread-strings/thread-list-strings.ts'
export { useSavedDraft } from './components/thread-list/use-saved-draft.ts'
export { useThreads, type ThreadsView } from './react/use-threads.ts'
