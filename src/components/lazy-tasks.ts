import { onDemand } from './on-demand.ts'

/** Components of tasks and of artifacts that hold something, whose code is fetched with the first of them. */
export const taskComponents = onDemand(() => import('./task-components.tsx'))
