import { isJsonObject } from '../../../base/json-object.ts'
import type { PromptAnswer } from '../../../seam/prompt.ts'

/** An answer as it goes out. */
export function writeAnswer(answer: PromptAnswer): object {
  if (answer.type !== 'option') return answer
  const { type, optionId, digest, edits } = answer
  return { type, option_id: optionId, digest, edits }
}

/** An answer as it comes in, with the events of the run; undefined for anything else. */
export function readAnswer(value: unknown): PromptAnswer | undefined {
  if (!isJsonObject(value)) return undefined
  const { type, option_id: optionId, digest, edits, reason } = value
  switch (type) {
    case 'option':
      if (typeof optionId !== 'string') return undefined
      return { type, optionId, digest: typeof digest === 'string' ? digest : undefined, edits }
    case 'value':
      return { type, value: value.value }
    case 'decline':
      return { type, reason: typeof reason === 'string' ? reason : undefined }
    case 'done':
    case 'cancel':
      return { type }
    default:
      return undefined
  }
}
