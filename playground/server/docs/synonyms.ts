import { termOf } from './terms.ts'

/**
 * Synonyms that newcomers use. Each line is one group: a question with one word of it also finds
 * the others, which count a little less. A group is right when most questions with one word of it are answered by a page with
 * another; a word that is only near belongs in no group.
 */
const GROUPS = `
  licence license licensing mit
  free cost price pricing paid commercial commercially
  database db postgres postgresql mysql mongodb sqlite supabase sql
  llm model gpt
  provider openai anthropic gemini claude mistral ollama
  backend server
  authentication auth authorize
  login signin sign
  stop cancel abort interrupt
  colour color brand look
  token variable
  sidebar list
  history conversation thread
  chat conversation
  refresh reload
  upload attach attachment file
  connection line network
  drop disconnect lost broken
  reconnect resume
  laptop computer
  close sleep
  retry attempt
  slow delay buffering
  size large big kb weight gzipped
  language locale translate translation i18n localisation localization
  accessible accessibility a11y
  reader voiceover nvda
  ssr rsc hydration hydrate rendering
  install installation npm pnpm yarn
  published publish registry
  setup begin start started
  example demo sample playground
  telemetry tracking analytics collect
  websocket websockets sse socket
  vue svelte angular solid
  test testing jest vitest
  mock scripted fake
  render show display
  custom own
  nextjs next
  code snippet block
  function tool
  source citation reference
  window popup widget modal
  voice speech microphone audio
  version release
  answer response reply generation output completion
  component part
  stable production
  difference different compare comparison versus vs alternative
  mobile phone
  persist keep kept store stored save saved storage
  limit throttle quota
  message prompt
`

/** For a search term: the terms that mean the same to somebody who asks. */
const SYNONYMS: ReadonlyMap<string, ReadonlySet<string>> = collect()

function collect(): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>()
  for (const line of GROUPS.trim().split('\n')) {
    const terms = [
      ...new Set(
        line
          .trim()
          .split(' ')
          .flatMap((word) => termOf(word) ?? []),
      ),
    ]
    for (const term of terms)
      found.set(term, new Set([...(found.get(term) ?? []), ...terms.filter((other) => other !== term)]))
  }
  return found
}

export function synonymsOf(term: string): ReadonlySet<string> {
  return SYNONYMS.get(term) ?? new Set()
}
