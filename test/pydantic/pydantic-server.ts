import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { afterAll } from 'vitest'

/** The Python that has Pydantic AI: that of `npm run test:pydantic`, unless a variable names another. */
const PYTHON = process.env['PYDANTIC_PYTHON'] ?? `${import.meta.dirname}/.venv/bin/python`

/** An agent of Pydantic AI over HTTP. Its counts continue over all tests. */
export interface PydanticServer {
  readonly url: string
  seen(): Promise<{
    /** How many runs were posted. */
    readonly posts: number
    /** Whom the tool that needs consent has sent a mail. */
    readonly mails: readonly string[]
  }>
}

/** Serves it until the tests of a file have ended. */
export async function servePydantic(): Promise<PydanticServer> {
  if (process.env['PYDANTIC_PYTHON'] === undefined && !existsSync(PYTHON))
    throw new Error('There is no Pydantic AI: npm run test:pydantic installs it.')
  // A connection that is closed just as it is used again would be a run that is not sent.
  const keeps = ['--timeout-keep-alive', '600']
  const args = ['-m', 'uvicorn', 'server:app', '--port', '0', '--host', '127.0.0.1', ...keeps]
  const server = spawn(PYTHON, args, {
    cwd: import.meta.dirname,
    env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1' },
  })
  afterAll(() => void server.kill())
  const origin = await new Promise<string>((resolve, reject) => {
    let said = ''
    server.stderr.setEncoding('utf8').on('data', (text: string) => {
      said += text
      const [found] = /http:\/\/127\.0\.0\.1:\d+(?=\s)/.exec(said) ?? []
      if (found !== undefined) resolve(found)
    })
    server.once('exit', () => reject(new Error(said)))
  })
  return {
    url: `${origin}/agent`,
    // As server.py writes it.
    seen: async () => (await (await fetch(`${origin}/seen`)).json()) as Awaited<ReturnType<PydanticServer['seen']>>,
  }
}
