import { describe, expect, it } from 'vitest'
import { readManifest } from '../layers/files.ts'
import { BUNDLERS } from './shipped-modules.ts'

const ENTRY_POINTS = Object.values(readManifest().exports).flatMap((target) =>
  typeof target === 'string' ? [] : [target.default],
)

// A hook of one line is used by the message list too.
const MARKDOWN = /^dist\/markdown\/(?!view\/use-browser-layout-effect)|rich-text/
const COMPONENTS = /^dist\/components\//
const SCHEMAS = /^zod$/
const CONNECTION = /^dist\/(?:session|wire|protocols\/[\w-]+\/client)\//

describe.each(BUNDLERS)('a page bundled by %s', (_, shipped) => {
  it.each(ENTRY_POINTS)('pays nothing for %s when it uses nothing of it', async (entryPoint) => {
    expect(await shipped(`import * as entryPoint from '${entryPoint}'; console.log('page')`)).toEqual({
      atOnce: [],
      later: [],
    })
  })

  it.each<[page: string, code: string, forbidden: readonly RegExp[]]>([
    [
      'a chat with a look of its own',
      "export { CapClient } from './dist/index.js'; export { AgentProvider, useCapChat, useChatSelector } from './dist/react.js'",
      [MARKDOWN, COMPONENTS, SCHEMAS],
    ],
    [
      'a script that asks an agent',
      "export { CapClient } from './dist/index.js'",
      [MARKDOWN, COMPONENTS, SCHEMAS, /^dist\/(?:react|server|testing)\/|\/hooks\//],
    ],
    [
      'the words of errors',
      "export { describeError } from './dist/components.js'",
      [MARKDOWN, CONNECTION, /message-list|composer|citation/],
    ],
    [
      'the health of an agent',
      "export { HealthBadge } from './dist/components.js'",
      [MARKDOWN, CONNECTION, SCHEMAS, /message-list|composer|citation/],
    ],
    ['a composer', "export { Composer } from './dist/components.js'", [MARKDOWN, SCHEMAS, /message-list|citation/]],
    ['errors and text', "export { isAgentError, textOf } from './dist/index.js'", [CONNECTION, /^dist\/hooks\//]],
    [
      'lists of conversations',
      "export { threadListQueryOptions } from './dist/query.js'",
      [MARKDOWN, COMPONENTS, CONNECTION, SCHEMAS, /^dist\/(?:react|protocols)\//],
    ],
    ['one language', "export { german } from './dist/locales.js'", [MARKDOWN, CONNECTION, /arabic|chinese/]],
    [
      'the parser of markdown',
      "export { parseMarkdown } from './dist/markdown.js'",
      [/^dist\/markdown\/view\//, COMPONENTS, CONNECTION],
    ],
    [
      'what an agent says',
      "export { event } from './dist/server.js'",
      [MARKDOWN, COMPONENTS, /^dist\/(?:react|session)\/|\/hooks\/|\/client\//, /event-log|proxy/],
    ],
    [
      'an agent of one SDK',
      "export { fromOpenAi } from './dist/server-models.js'",
      [/anthropic|ai-sdk|lang-(?:chain|graph)/],
    ],
    ['a log in one database', "export { sqliteEventLog } from './dist/server-logs.js'", [/redis|postgres/]],
  ])('with %s ships no more than that', async (_page, code, forbidden) => {
    const { atOnce, later } = await shipped(code)
    expect([...atOnce, ...later].filter((module) => forbidden.some((pattern) => pattern.test(module)))).toEqual([])
    expect(atOnce.length).toBeGreaterThan(0)
  })

  it('leaves the warnings for developers out of production', async () => {
    const { atOnce } = await shipped(
      "export { AgentProvider, useCapChat } from './dist/react.js'; export { Chat } from './dist/components.js'; export { ThreadList } from './dist/components.js'",
    )
    expect(atOnce).toContain('dist/react/use-steady-option.js')
    expect(atOnce).not.toContain('dist/base/warn-developer.js')
  })

  it('with the whole chat fetches the engine of markdown, its rare syntax, rare packets, the components of parts, the virtualiser, prompts, commands, the shared state and its language when they are needed, and highlighting never', async () => {
    const { atOnce, later } = await shipped(
      "export { CapClient } from './dist/index.js'; export { AgentProvider } from './dist/react.js'; export { Chat } from './dist/components.js'",
    )
    expect(
      atOnce.filter(
        (module) =>
          MARKDOWN.test(module) ||
          /^@tanstack\/|^zod$|^immutable-json-patch$|highlight|rare-requests|\/(?:media-carousel|data-block|artifact-card|progress-indicator|tool-call|user-notice|unknown-event|task-card|artifact-view|agent-card-view)\.js$|\/strings\/(?:form|jobs|prompts|tasks|threads)\.js$/.test(
            module,
          ),
      ),
    ).toEqual([])
    expect(later).toEqual([
      'dist/components/citation-block/citation-card.js',
      'dist/components/composer/message-editor.js',
      'dist/components/markdown-block/rich-text.js',
      'dist/components/message-list/row-window.js',
      'dist/components/message/part-components.js',
      'dist/components/prompt-components.js',
      'dist/protocols/cap/rare-packets.js',
      'dist/protocols/cap/state-fold.js',
      'dist/seam/shared-state.js',
      'dist/state/chat-commands.js',
      'dist/strings/arabic-pack.js',
      'dist/strings/chinese-pack.js',
      'dist/strings/german-pack.js',
    ])
  })
})
