import { type AgentOutput, fatal } from 'capstan/server'

/** Says on the page and in the terminal that a key is missing, and what to do. */
export function missingKey(name: string): AgentOutput {
  const message = `${name} is not set. Copy .env.example to .env.local, put your key there, and start again.`
  console.error(message)
  return fatal('missing_key', message)
}
