// @vitest-environment jsdom
import { fireEvent, screen } from '@testing-library/react'
import { beforeAll, expect, it } from 'vitest'
import { loadCommandsModule } from '../../../src/state/chat.ts'
import { failure } from '../../support/scripted-peer.ts'
import type { ScriptedChat } from '../scripted-chat.tsx'
import { ask, showScriptedChat } from '../scripted-chat.tsx'
import '../show.tsx'

beforeAll(loadCommandsModule)

/** The article that has the focus: who speaks, and what. */
function focused(): readonly (string | null | undefined)[] {
  const element = document.activeElement
  return [element?.tagName, element?.getAttribute('aria-label'), element?.textContent]
}

async function answered(say: (page: ScriptedChat) => void): Promise<ScriptedChat> {
  const page = showScriptedChat()
  await page.move(() => ask('Why?'))
  await page.move(() => say(page))
  return page
}

function press(name: string): void {
  const button = screen.getByRole('button', { name })
  button.focus()
  fireEvent.click(button)
}

it('keeps the focus with the answer that takes the place of one, when a button in that was used', async () => {
  const page = await answered(({ peer: { connection } }) => {
    connection.say(1, 'Because.')
    connection.close(2)
  })
  await page.move(() => press('Regenerate'))
  expect(focused().slice(0, 2)).toEqual(['ARTICLE', 'Assistant'])
  await page.move(() => page.peer.connection.say(1, 'Another reason.', 's2'))
  expect(focused()).toEqual(['ARTICLE', 'Assistant', expect.stringContaining('Another reason.')])
})

it('keeps the focus with the message that is sent again', async () => {
  const page = await answered(({ peer }) => peer.connection.fail(failure({ code: 'http_error', status: 500 })))
  await page.move(() => press('Retry'))
  expect(focused()).toEqual(['ARTICLE', 'You', expect.stringContaining('Why?')])
})
