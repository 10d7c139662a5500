import { PassThrough } from 'node:stream'
import { stripVTControlCharacters } from 'node:util'
import { expect, it, vi } from 'vitest'
import { askForMissing } from '../../create-capstan/src/ask-for-missing.js'

/** A terminal that somebody types into, and what it shows. */
function openTerminal(): {
  stdin: PassThrough
  stdout: PassThrough
  shown(): string
  type(answer: string, after: RegExp): Promise<void>
} {
  const stdin = Object.assign(new PassThrough(), { isTTY: true })
  const stdout = Object.assign(new PassThrough(), { isTTY: true })
  let written = ''
  stdout.on('data', (bytes: Buffer) => (written += bytes.toString()))
  const shown = (): string => stripVTControlCharacters(written)
  return {
    stdin,
    stdout,
    shown,
    async type(answer, after) {
      await vi.waitFor(() => expect(shown()).toMatch(after), 20_000)
      stdin.write(`${answer}\n`)
    },
  }
}

it('asks for what is missing, until there is such a thing', async () => {
  const terminal = openTerminal()
  const asked = askForMissing({}, terminal)
  await terminal.type('', /Folder \(capstan-chat\): $/)
  await terminal.type('5', /2 {2}next[\s\S]*Number or name \(1\): $/)
  await terminal.type('2', /There is no "5"[\s\S]*Number or name \(1\): $/)
  await terminal.type('openai', /Agent:[\s\S]*Number or name \(1\): $/)
  expect(await asked).toEqual({ folder: 'capstan-chat', template: 'next', agent: 'openai' })
})

it('does not ask for what was said', async () => {
  const terminal = openTerminal()
  const said = { folder: 'a', template: 'vite', agent: 'echo' }
  expect(await askForMissing(said, terminal)).toEqual(said)
  expect(terminal.shown()).toBe('')
})

it('takes the first of a list for an empty line', async () => {
  const terminal = openTerminal()
  const asked = askForMissing({ folder: 'a', agent: 'echo' }, terminal)
  await terminal.type('', /Template:[\s\S]*Number or name \(1\): $/)
  expect(await asked).toEqual({ folder: 'a', template: 'vite', agent: 'echo' })
})

it('ends with a message when nobody answers', async () => {
  const terminal = openTerminal()
  const asked = askForMissing({ template: 'vite', agent: 'echo' }, terminal)
  terminal.stdin.end()
  await expect(asked).rejects.toThrow('Nothing was made.')
})
