import { onTestFinished } from 'vitest'
import { spawnInstance, type Instance } from './spawn-instance.ts'

export type { Instance } from './spawn-instance.ts'

/** Starts a server in its own process, and ends it with the test. */
export async function startInstance(...given: Parameters<typeof spawnInstance>): Promise<Instance> {
  const instance = await spawnInstance(...given)
  onTestFinished(instance.kill)
  return instance
}
