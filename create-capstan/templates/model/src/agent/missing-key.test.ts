import { afterEach, expect, it, vi } from 'vitest'
import { agent } from './agent'
import { openConversation } from './open-conversation'

afterEach(() => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
})

it('says which key is missing, and what to do', async () => {
  vi.stubEnv('OPENAI_API_KEY', '')
  const log = vi.spyOn(console, 'error').mockImplementation(() => {})
  await expect(openConversation(agent)('Hello')).rejects.toThrow('OPENAI_API_KEY is not set. Copy .env.example')
  expect(log).toHaveBeenCalledOnce()
})
