import type { Agent } from 'capstan/server'

/** Does what its question names: counts, is silent, asks for consent, or waits until it is stopped, and may need a while then. */
export const agent: Agent = async function* (_request, run) {
  const [act, value] = run.text.split(' ')
  switch (act) {
    case 'count':
      for (let count = 1; count <= Number(value); count += 1) {
        yield `${count} `
        await run.sleep(10)
      }
      return
    case 'silent':
      yield 'First. '
      await run.sleep(Number(value))
      yield 'Last.'
      return
    case 'mail': {
      const answer = await run.ask({
        kind: 'approval',
        message: 'May I send the mail?',
        subject: { name: 'send_mail', input: { to: 'Ann' } },
      })
      yield answer.type === 'allowed' ? 'It is sent.' : 'It is not sent.'
      return
    }
    case 'wait':
      yield 'Waiting. '
      await run.sleep(600_000)
      yield 'Too late.'
      return
    case 'linger':
      try {
        yield 'Waiting. '
        await run.sleep(600_000)
      } finally {
        await new Promise((resolve) => setTimeout(resolve, Number(value)))
      }
      return
    case 'history':
      yield (await run.history()).map(({ text }) => text).join(' | ')
      return
    default:
      yield `You said ${run.text}.`
  }
}
