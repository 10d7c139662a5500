import { createOpenAI } from '@ai-sdk/openai'
import { type LanguageModel, streamText } from 'ai'
import { type Agent, type AgentRun, chatMessages } from 'capstan/server'
import { fromAiSdk } from 'capstan/server/models'
import { missingKey } from './missing-key'

/** Answers with a model of the AI SDK, and remembers what was said before. Any other provider fits here as well. */
export const agent: Agent = async function* (_request, run) {
  const apiKey = process.env.OPENAI_API_KEY
  if (apiKey) yield* answer(createOpenAI({ apiKey })(process.env.OPENAI_MODEL ?? 'gpt-5-mini'), run)
  else yield missingKey('OPENAI_API_KEY')
}

/** The answer of a model, which a test replaces by a scripted one. */
export async function* answer(model: LanguageModel, run: AgentRun) {
  const messages = await chatMessages(run)
  // The signal ends the call of the model when the user stops it.
  yield* fromAiSdk(streamText({ model, system: 'Be brief and plain.', messages, abortSignal: run.signal }), run)
}
