import type { PromptControls } from '../../../src/react/use-prompts.ts'
import type { Prompt } from '../../../src/seam/prompt.ts'

export { optionOf, PROMPTS, promptOf } from '../../../stories/support/prompts.ts'

/** Props of what a user decides with, and what was answered with it. */
export interface FakeControls {
  readonly controls: PromptControls
  readonly isReady: true
  readonly isSending: false
  readonly decline: null
  readonly used: readonly unknown[][]
}

/** The controls of a prompt: tests read what they were used for. */
export function createFakeControls(prompt: Prompt): FakeControls {
  const used: unknown[][] = []
  const action =
    (name: string) =>
    async (...given: unknown[]) => {
      used.push([name, ...given.filter((value) => value !== undefined)])
      return { status: 'accepted' } as const
    }
  return {
    used,
    isReady: true,
    isSending: false,
    decline: null,
    controls: {
      prompt,
      choose: action('choose'),
      submit: action('submit'),
      confirm: action('confirm'),
      decline: action('decline'),
      cancel: action('cancel'),
      repeat: undefined,
    },
  }
}
