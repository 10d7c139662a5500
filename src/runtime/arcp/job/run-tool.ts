import type { JsonObject } from '../../../base/json-object.ts'
import type { ArcpFault } from '../message/arcp-fault.ts'
import type { RuntimeJob } from './runtime-job.ts'
import { faultOf, toResultPayload } from './runtime-job.ts'
import type { ArcpStreamWriter, ArcpToolContext, ArcpToolFunction } from './tool.ts'

/** Runs a tool until it has ended, and ends its job. Never rejects. @param onFault told of what is no fault of the protocol */
export async function runTool(
  run: ArcpToolFunction,
  given: JsonObject,
  job: RuntimeJob,
  context: ArcpToolContext,
  onFault: (cause: unknown) => void,
): Promise<void> {
  try {
    const returned: unknown = await run(given, context)
    const value = isGenerator(returned) ? await follow(returned, context) : returned
    job.end({ type: 'complete', result: toResultPayload(toJson(value)) })
  } catch (cause) {
    const fault: ArcpFault = faultOf(cause)
    const isOwn = job.end({ type: 'fail', by: 'tool', fault })
    // A tool that was stopped may well throw.
    if (isOwn && fault !== cause) onFault(cause)
  }
}

/** Streams what a generator yields; gives what it returns. It is left where its job has ended. */
async function follow(generator: AsyncGenerator<unknown, unknown, void>, context: ArcpToolContext): Promise<unknown> {
  let text: ArcpStreamWriter<string> | undefined
  let events: ArcpStreamWriter<unknown> | undefined
  for (;;) {
    const turn = await generator.next()
    if (turn.done === true) return turn.value
    if (context.signal.aborted) {
      await generator.return(undefined)
      return undefined
    }
    if (typeof turn.value === 'string') await (text ??= context.stream('text')).write(turn.value)
    else await (events ??= context.stream('event')).write(turn.value)
  }
}

function isGenerator(value: unknown): value is AsyncGenerator<unknown, unknown, void> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value && 'next' in value
}

/** A value as JSON has it, so that what the tool does to it later changes nothing. @throws TypeError where it is none */
function toJson(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value))
}
