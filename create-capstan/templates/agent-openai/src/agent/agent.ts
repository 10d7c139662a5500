import type { Agent, AgentRun } from 'capstan/server'
import { fromOpenAi, openAiMessages } from 'capstan/server/models'
import OpenAI from 'openai'
import { missingKey } from './missing-key'

/** Answers with a model of OpenAI, and remembers what was said before. */
export const agent: Agent = async function* (_request, run) {
  const apiKey = process.env.OPENAI_API_KEY
  if (apiKey) yield* answer(new OpenAI({ apiKey }), run)
  else yield missingKey('OPENAI_API_KEY')
}

/** The answer of a client, which a test replaces by a scripted one. */
export async function* answer(client: OpenAI, run: AgentRun) {
  const input = await openAiMessages(run)
  const stream = client.responses.create(
    { model: process.env.OPENAI_MODEL ?? 'gpt-5-mini', instructions: 'Be brief and plain.', input, stream: true },
    // Ends the call of the model when the user stops it.
    { signal: run.signal },
  )
  yield* fromOpenAi(stream, run)
}
