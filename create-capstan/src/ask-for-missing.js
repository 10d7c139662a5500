import { createInterface } from 'node:readline/promises'
import { AGENTS, TEMPLATES } from './choices.js'
import { UsageError } from './usage-error.js'

const FOLDER = 'capstan-chat'

/**
 * Asks in the terminal for what the command line left out.
 *
 * @throws {UsageError} when something is missing and nobody can be asked
 */
export async function askForMissing(wanted, { stdin, stdout }) {
  const missing = ['folder', 'template', 'agent'].filter((name) => wanted[name] === undefined)
  if (missing.length === 0) return wanted
  if (!stdin.isTTY || !stdout.isTTY) throw new UsageError(whatIsMissing(missing))
  const lines = createInterface({ input: stdin, output: stdout })
  try {
    const folder = wanted.folder ?? ((await ask(lines, `Folder (${FOLDER}): `)).trim() || FOLDER)
    const template = wanted.template ?? (await choose(lines, 'Template', TEMPLATES))
    const agent = wanted.agent ?? (await choose(lines, 'Agent', AGENTS))
    return { ...wanted, folder, template, agent }
  } finally {
    lines.close()
  }
}

function whatIsMissing(missing) {
  const ways = {
    folder: 'a folder',
    template: `--template ${Object.keys(TEMPLATES).join('|')}`,
    agent: `--agent ${Object.keys(AGENTS).join('|')}`,
  }
  return `Missing: ${missing.map((name) => ways[name]).join(', ')}. For example:\nnpm create capstan ${FOLDER} -- --template vite --agent echo`
}

/** One line of the terminal. Ctrl+C and Ctrl+D leave the question without an answer for ever, so they end it here. */
function ask(lines, question) {
  return new Promise((resolve, reject) => {
    const leave = () => reject(new UsageError('\nNothing was made.'))
    lines.once('close', leave)
    lines
      .question(question)
      .finally(() => lines.off('close', leave))
      .then(resolve, reject)
  })
}

/** Offers numbered choices until one is taken, by number or name; an empty line takes the first. */
async function choose(lines, what, choices) {
  const names = Object.keys(choices)
  const list = names.map((name, at) => `  ${at + 1}  ${name.padEnd(8)}${choices[name]}`).join('\n')
  let question = `${what}:\n${list}\nNumber or name (1): `
  for (;;) {
    const answer = (await ask(lines, question)).trim() || '1'
    const name = names[Number(answer) - 1] ?? names.find((known) => known === answer)
    if (name !== undefined) return name
    question = `There is no "${answer}". Number or name (1): `
  }
}
