import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ComponentType } from 'react'
import { ROOT } from '../layers/files.ts'
import type { Snippet } from './pages.ts'
import { readPages, snippetsOf } from './pages.ts'

/** Shows the messages of a chat, and lets the user send one. */
const SHOWS = /messages\.map|=\{messages\}|<MessageList|<Chat[\s/>]/
const SENDS = /sendMessage\(|<Composer|<Chat[\s/>]/
/** Code of a test, which has an agent already. */
const IS_TEST = /@testing-library/

/** The components of README, SKILL and the guides with which a user can hold a whole conversation. */
export function guideComponents(): Snippet[] {
  return readPages()
    .filter(({ path }) => !path.startsWith('docs/reference/') && !path.startsWith('docs/decisions/'))
    .flatMap(snippetsOf)
    .filter(({ language }) => language === 'tsx' || language === 'jsx')
    .filter(({ code }) => SHOWS.test(code) && SENDS.test(code) && !IS_TEST.test(code))
}

/** A module of a guide: it exports a component, or renders one into `#root` when it is loaded. */
export type GuideModule = Readonly<Record<string, ComponentType<Record<string, unknown>>>>

/** Names of the package in the sources, so that the test needs no build and shares its modules with them. */
function entryPointOf(name: string): string {
  return name.replaceAll('/', '-').replace(/^capstan-?/, '') || 'index'
}

/**
 * The code of a guide with its imports resolved. A client of another protocol needs a server of its protocol; the component in the
 * guide does not depend on it, so it gets a client of CAP.
 */
function runnable(code: string): string {
  return code
    .replaceAll(/^import '[^']+\.css'.*$/gm, '')
    .replaceAll(/^declare function (\w+)\(.*$/gm, 'const $1 = async () => "key"')
    .replaceAll(/A2AClient\.fromUrl\(.*\)$/gm, CAP_CLIENT)
    .replaceAll(/new (?:AgUi|AiSdk)Client\(.*\)$/gm, CAP_CLIENT)
    .replaceAll(/toolClient\(arcp, \{.*\}\)$/gm, CAP_CLIENT)
    .replace(/^/, code.includes('CapClient }') ? '' : "import { CapClient } from 'capstan'\n")
    .replaceAll(/from '(capstan[\w/-]*)'/g, (_, name: string) => `from '${ROOT}src/${entryPointOf(name)}.ts'`)
    .replaceAll("from 'react-native'", `from '${ROOT}test/docs/react-native.tsx'`)
}

const CAP_CLIENT = "new CapClient({ baseUrl: 'https://agent.example' })"

/** Writes code of guides as modules that can be loaded, each time a new one. */
export function createGuideFolder(): { load(snippet: Snippet): Promise<GuideModule>; remove(): void } {
  // Below the root, as nothing else is transformed.
  const folder = mkdtempSync(`${ROOT}test/docs/.guides-`)
  let count = 0
  return {
    load({ name, code }) {
      const path = join(folder, `${name.replaceAll(/\W+/g, '-')}${(count += 1)}.tsx`)
      writeFileSync(path, runnable(code))
      return import(/* @vite-ignore */ path) as Promise<GuideModule>
    },
    remove: () => rmSync(folder, { recursive: true }),
  }
}
