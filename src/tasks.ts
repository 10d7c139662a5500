'use client'
export { AgentCardView, type AgentCardViewProps } from './components/agent-card-view.tsx'
export type { AgentDescription, AgentSkillDescription } from './components/agent-description.ts'
export { ArtifactView } from './components/artifact-view.tsx'
export type { ArtifactContent, ArtifactVersion, ArtifactViewProps } from './components/artifact-view.tsx'
export type { SubTask } from './components/sub-task.ts'
export { TaskCard, type TaskCardProps } from './components/task-card.tsx'
export { TaskStatusBadge, type TaskStatusBadgeProps } from './components/task-status-badge.tsx'
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
