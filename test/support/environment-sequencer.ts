import { readFileSync } from 'node:fs'
import type { TestSpecification } from 'vitest/node'
import { BaseSequencer } from 'vitest/node'

const ENVIRONMENT = /@vitest-environment\s+([\w-]+)/

/**
 * The order of vitest, but with the files of one environment next to each other. Vitest hands a worker on only to a file of the same
 * project and environment, and ends it where the next one differs: each change would load jsdom and React again.
 */
export class EnvironmentSequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const groups = new Map<string, TestSpecification[]>()
    // oxlint-disable-next-line unicorn/no-array-sort -- a method of a sequencer, not of an array
    for (const file of await super.sort(files)) {
      const key = JSON.stringify([file.project.config.sequence.groupOrder, file.project.name, environmentOf(file)])
      const group = groups.get(key)
      if (group === undefined) groups.set(key, [file])
      else group.push(file)
    }
    return [...groups.values()].flat()
  }
}

function environmentOf({ moduleId, project }: TestSpecification): string {
  return ENVIRONMENT.exec(readFileSync(moduleId, 'utf8'))?.[1] ?? project.config.environment
}
