'use client'
export {
  AgentCardView,
  type AgentCardViewProps,
  type AgentDescription,
  type AgentSkillDescription,
} from './components/agent-card-view.tsx'
export { ArtifactView } from './components/artifact-view.tsx'
export type { ArtifactContent, ArtifactVersion, ArtifactViewProps } from './components/artifact-view.tsx'
export {
  type SubTask,
  TaskCard,
  type TaskCardProps,
  TaskStatusBadge,
  type TaskStatusBadgeProps,
} from './components/task-card.tsx'
export { arabicTasks } from './strings/arabic-pack.ts'
export { chineseTasks } from './strings/chinese-pack.ts'
export { englishTasks } from './strings/tasks.ts'
export { germanTasks } from './strings/german-pack.ts'
export type { TaskStrings } from './strings/tasks.ts'
export {
  TaskStringsProvider,
  type TaskStringsProviderProps,
  useTaskStrings,
} from './components/dictionary/task-strings-context.tsx'
