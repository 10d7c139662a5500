import type { AgentOutput } from '../run/agent-output.ts'
import type { ModelRun } from './model-output.ts'

/** How a helper's answer ended, and what the next request needs of it. */
export interface HelperEnd<End> {
  readonly end: End
  /** In the form of the vendor. Undefined: the parts of the answer say all of it. */
  readonly items: readonly object[] | undefined
}

/** Passes the outputs of a helper on, and gives the run its answer to remember. @param vendor that of `VendorFiles` */
export async function* rememberAnswer<End>(
  vendor: string,
  answer: AsyncGenerator<AgentOutput, HelperEnd<End>>,
  run: ModelRun,
): AsyncGenerator<AgentOutput, End> {
  let text = ''
  const eventIds: string[] = []
  try {
    let step = await answer.next()
    for (; step.done !== true; step = await answer.next()) {
      const { value } = step
      if (typeof value === 'string') text += value
      else if (value.kind === 'event' && value.id !== undefined) eventIds.push(value.id)
      yield value
    }
    const { end, items } = step.value
    if (items !== undefined) run.remember?.({ vendor, items, text, eventIds })
    return end
  } finally {
    // The run may end before the answer does.
    await answer.return(undefined as never)
  }
}
