import { expect, it } from 'vitest'
import { agent } from './agent'
import { openConversation } from './open-conversation'

it('repeats what the user says, and remembers what they said before', async () => {
  const say = openConversation(agent)
  expect(await say('Hello')).toBe('You said: Hello')
  expect(await say('And now?')).toBe('You said: And now?\n\nBefore that: Hello')
})
