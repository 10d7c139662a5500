export { ArtifactView } from '../artifact-view/artifact-view.tsx'
export { TaskRows } from './task-rows.tsx'
