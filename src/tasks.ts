'use client'
export { AgentCardView, type AgentCardViewProps } from './components/agent-card/agent-card-view.tsx'
export type { AgentDescription, AgentSkillDescription } from './components/agent-card/agent-description.ts'
export { ArtifactView } from './components/artifact-view/artifact-view.tsx'
export type { ArtifactContent, ArtifactVersion, ArtifactViewProps } from './components/artifact-view/artifact-view.tsx'
export type { SubTask } from './components/task-card/sub-task.ts'
export { TaskCard, type TaskCardProps } from './components/task-card/task-card.tsx'
export { TaskStatusBadge, type TaskStatusBadgeProps } from './components/task-status/task-status-badge.tsx'
export { arabicTasks } from './components/task-strings/arabic-tasks.ts'
export { chineseTasks } from './components/task-strings/chinese-tasks.ts'
export { englishTasks } from './components/task-strings/english-tasks.ts'
export { germanTasks } from './components/task-strings/german-tasks.ts'
export type { TaskStrings } from './components/task-strings/task-strings.ts'
export {
  TaskStringsProvider,
  type TaskStringsProviderProps,
  useTaskStrings,
} from './components/language-pack/task-strings-context.tsx'
