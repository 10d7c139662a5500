import { parseArgs } from 'node:util'
import { AGENTS, TEMPLATES } from './choices.js'
import { UsageError } from './usage-error.js'

const listOf = (choices) =>
  Object.entries(choices)
    .map(([name, meaning]) => `    ${name.padEnd(8)}${meaning}`)
    .join('\n')

export const HELP = `npm create capstan [folder] -- [options]

  --template <name>
${listOf(TEMPLATES)}
  --agent <name>
${listOf(AGENTS)}
  --capstan <version or tarball>
    Which capstan the project installs: a version, or the path of a file that npm pack made.

In a terminal, what is left out is asked for.`

const OPTIONS = {
  template: { type: 'string', short: 't' },
  agent: { type: 'string', short: 'a' },
  capstan: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
}

/**
 * Reads the command line.
 *
 * @param {readonly string[]} args what follows the name of the program
 * @returns {{ help?: boolean, folder?: string, template?: string, agent?: string, capstan?: string }} what was said; each is valid
 * @throws {UsageError} for an option, template or agent that does not exist
 */
export function readArguments(args) {
  const { values, positionals } = parse(args)
  if (positionals.length > 1)
    throw new UsageError(`One folder at a time: ${positionals.map((name) => `"${name}"`).join(', ')}.`)
  assertChoice('template', values.template, TEMPLATES)
  assertChoice('agent', values.agent, AGENTS)
  return { ...values, ...(positionals[0] !== undefined && { folder: positionals[0] }) }
}

function parse(args) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true })
  } catch (error) {
    throw new UsageError(`${error.message}\n\n${HELP}`, { cause: error })
  }
}

function assertChoice(option, value, choices) {
  if (value === undefined || Object.hasOwn(choices, value)) return
  const offered = Object.keys(choices).map((name) => `--${option} ${name}`)
  throw new UsageError(
    `There is no ${option} "${value}". Choose ${offered.slice(0, -1).join(', ')} or ${offered.at(-1)}.`,
  )
}
