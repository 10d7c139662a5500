import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { build, transform } from 'esbuild'
import postcss from 'postcss'
import { rolldown } from 'rolldown'

// What an entry point costs a page: bundled from dist, minified, gzipped, React left out. Run `npm run build` first.

const ROOT = new URL('..', import.meta.url).pathname

/** What the names of an entry point that only some pages import are for. */
const CAP = [
  'AssistStream',
  'ChatStream',
  'CapClient',
  'CapConnectionError',
  'CapError',
  'CapProtocolError',
  'CapRuntimeError',
  'capProtocol',
  'readPacket',
]
const WIRE = ['fetchTransport', 'webSocket', 'createDebugLog']
const A2A_HOOKS = ['useA2AChat', 'useA2ATask', 'useAgentCard']
const ARCP_HOOKS = [
  'ArcpProvider',
  'useArcpArtifact',
  'useArcpInvoke',
  'useArcpJob',
  'useArcpLeases',
  'useArcpMetrics',
  'useArcpPrompts',
  'useArcpSession',
  'useArcpState',
  'useArcpSubscription',
]
const STATE_HOOKS = ['useAgentState']
const THREAD_HOOKS = ['useSavedDraft', 'useThreads']
const THREADS = ['ThreadList']
const TOOLS = ['tool']
const JOBS = [
  'CostMeter',
  'JobCard',
  'JobStringsProvider',
  'LogViewer',
  'SessionStatus',
  'SubscriptionViewer',
  'TokenMeter',
  'useJobStrings',
]
const TASKS = ['AgentCardView', 'ArtifactView', 'TaskCard', 'TaskStatusBadge', 'TaskStringsProvider', 'useTaskStrings']
const PROMPTS = [
  'ApprovalCard',
  'ChoiceCard',
  'FormPrompt',
  'LeaseBadge',
  'LeaseList',
  'PermissionPrompt',
  'PromptCard',
  'PromptDock',
  'PromptStringsProvider',
  'PromptTrace',
  'SchemaForm',
  'SignInCard',
  'UnknownPrompt',
  'usePromptStrings',
]

const namesFrom = (entryPoint, names) => `export { ${names.join(', ')} } from './dist/${entryPoint}.js'`

/** All that an entry point exports but these names, each of which it must have. */
function allBut(entryPoint, ...groups) {
  const names = [...readFileSync(`${ROOT}dist/${entryPoint}.js`, 'utf8').matchAll(/^export \{([^}]*)\}/gm)].flatMap(
    ([, list]) => list.split(',').map((name) => name.trim()),
  )
  const left = groups.flat()
  const gone = left.filter((name) => !names.includes(name))
  if (gone.length > 0)
    throw new Error(`${entryPoint} does not export ${gone.join(', ')}: see scripts/measure-entry-points.js.`)
  return namesFrom(
    entryPoint,
    names.filter((name) => !left.includes(name)),
  )
}

const CORE = allBut('index', CAP, WIRE)
const HOOKS = allBut('react', A2A_HOOKS, ARCP_HOOKS, STATE_HOOKS, THREAD_HOOKS)
const PARTS = allBut('components', THREADS, TOOLS, JOBS, TASKS, PROMPTS)
const CORE_AND_REACT = `${CORE}; ${HOOKS}`
const CORE_REACT_AND_PARTS = `${CORE_AND_REACT}; ${PARTS}`

const WHOLE_CHAT = 'whole chat with markdown'
const WHOLE_CHAT_AND_PARTS = 'whole chat with markdown + parts of an answer'

const CHAT_WITH_MARKDOWN =
  "export { CapClient } from './dist/index.js'; export { AgentProvider } from './dist/react.js'; export { Chat } from './dist/components.js'; export { RichText } from './dist/components/markdown-block/rich-text.js'"

/** Entries by name: whole entry points, and what people import of them. */
export const ENTRIES = {
  core: CORE,
  cap: "export { CapClient } from './dist/index.js'",
  'cap with schemas':
    "export { CapClient } from './dist/index.js'; export { agentRequestSchema, healthCheckResponseSchema, presentationEventSchema, serviceRequestSchema, serviceResponseSchema, streamErrorSchema, streamPacketSchema } from './dist/schemas.js'",
  'core + transport': `${CORE}; export { fetchTransport } from './dist/index.js'`,
  'core + ai-sdk': `${CORE}; export { AiSdkClient } from './dist/ai-sdk.js'`,
  'core + ag-ui': `${CORE}; export { AgUiClient } from './dist/ag-ui.js'`,
  'core + cap + ag-ui': `${CORE}; export { CapClient } from './dist/index.js'; export { AgUiClient } from './dist/ag-ui.js'`,
  'core + cap': `${CORE}; export { CapClient } from './dist/index.js'`,
  'core + cap + ai-sdk': `${CORE}; export { CapClient } from './dist/index.js'; export { AiSdkClient } from './dist/ai-sdk.js'`,
  'core + a2a': `${CORE}; export { A2AClient } from './dist/a2a.js'`,
  'core + a2a, whole entry point with schemas': `${CORE}; export * from './dist/a2a.js'; export { a2aAgentCardSchema, a2aMessageSchema, a2aStreamResponseSchema, a2aTaskSchema } from './dist/schemas.js'`,
  'core + arcp': `${CORE}; export { ArcpClient, toolClient, webSocketTransport } from './dist/arcp.js'`,
  'core + arcp, whole entry point with schemas': `${CORE}; export * from './dist/arcp.js'; export { arcpDialectEventSchemas, arcpDialectMessageSchema, arcpDialectPayloadSchemas, arcpEnvelopeSchema, arcpMessageSchema, arcpPayloadSchemas } from './dist/schemas.js'`,
  'runtime of ARCP':
    "export { ArcpFault, createArcpRuntime, toArcpUpgradeListener, webSocketConnection } from './dist/arcp-runtime.js'",
  'cap + react':
    "export { CapClient } from './dist/index.js'; export { AgentProvider, useCapChat, useChatSelector } from './dist/react.js'",
  'cap + components':
    "export { CapClient } from './dist/index.js'; export { AgentProvider } from './dist/react.js'; export { Chat } from './dist/components.js'",
  [WHOLE_CHAT]: CHAT_WITH_MARKDOWN,
  [WHOLE_CHAT_AND_PARTS]: `${CHAT_WITH_MARKDOWN}; export * from './dist/components/message/part-components.js'`,
  'core + react': CORE_AND_REACT,
  'core + react + components': CORE_REACT_AND_PARTS,
  'core + react + components + highlight': `${CORE_REACT_AND_PARTS}; export * from './dist/highlight.js'`,
  'core + react + components + math': `${CORE_REACT_AND_PARTS}; export * from './dist/math.js'`,
  'core + react + components + diagram': `${CORE_REACT_AND_PARTS}; export * from './dist/diagram.js'`,
  'core + react + components + prompts': `${CORE_REACT_AND_PARTS}; ${namesFrom('components', PROMPTS)}`,
  'core + react + components + prompts + fields of a form': `${CORE_REACT_AND_PARTS}; ${namesFrom('components', PROMPTS)}; export * from './dist/components/schema-form/form-body.js'`,
  'core + react + components + tasks': `${CORE_REACT_AND_PARTS}; ${namesFrom('components', TASKS)}`,
  'core + react + components + jobs': `${CORE_REACT_AND_PARTS}; ${namesFrom('components', JOBS)}`,
  'core + a2a + react': `${CORE}; export { A2AClient, AgentCardResolver } from './dist/a2a.js'; ${HOOKS}`,
  'core + a2a + react + hooks of a2a': `${CORE}; export { A2AClient, AgentCardResolver } from './dist/a2a.js'; ${HOOKS}; ${namesFrom('react', A2A_HOOKS)}`,
  'core + arcp + react': `${CORE}; export { ArcpClient, toolClient, webSocketTransport } from './dist/arcp.js'; ${HOOKS}`,
  'core + arcp + react + hooks of arcp': `${CORE}; export { ArcpClient, toolClient, webSocketTransport } from './dist/arcp.js'; ${HOOKS}; ${namesFrom('react', ARCP_HOOKS)}`,
  'core + storage': `${CORE}; export { createThreadStore } from './dist/storage.js'`,
  'core + react + state': `${CORE_AND_REACT}; ${namesFrom('react', STATE_HOOKS)}`,
  'core + react + components + tools': `${CORE_REACT_AND_PARTS}; ${namesFrom('components', TOOLS)}`,
  'core + react + components + threads': `${CORE_REACT_AND_PARTS}; ${namesFrom('components', THREADS)}; ${namesFrom('react', THREAD_HOOKS)}`,
  'Chat alone': "export { Chat } from './dist/components.js'",
  'MessageList + Composer': "export { MessageList, Composer } from './dist/components.js'",
  'ErrorBanner alone': "export { ErrorBanner } from './dist/components.js'",
  locales: namesFrom('locales', ['arabic', 'chinese', 'english', 'german']),
  'locales, one of them': "export { german } from './dist/locales.js'",
  'cap + react + query':
    "export { CapClient } from './dist/index.js'; export { AgentProvider, useCapChat, useChatSelector } from './dist/react.js'; export * from './dist/query.js'",
  server: "export * from './dist/server.js'",
}

/** Loaded by a page when it needs them, each with all that is in it but React. */
export const CHUNKS = {
  markdown:
    "export { Markdown, createMarkdownStream, englishMarkdownStrings, parseMarkdown } from './dist/markdown.js'",
  'rare syntax of markdown': "export * from './dist/markdown/all-syntax.js'",
  'window of a long thread': "export * from './dist/components/message-list/row-window.js'",
  'commands of a chat': "export * from './dist/state/chat-commands.js'",
  'English words of forms': "export * from './dist/strings/form.js'",
  'validator of forms': "export * from './dist/components/schema-form/bounded-judge.js'",
  'editor of a sent message': "export * from './dist/components/composer/message-editor.js'",
  'card of a citation': "export * from './dist/components/citation-block/citation-card.js'",
  'signatures of agent cards': "export * from './dist/protocols/a2a/client/verify-signatures.js'",
  'rare messages of ARCP': "export * from './dist/protocols/arcp/rare-messages.js'",
  'commands of ARCP': "export * from './dist/protocols/arcp/job-commands.js'",
  'calls of ARCP':
    "export * from './dist/protocols/arcp/client/runtime-calls.js'; export * from './dist/protocols/arcp/client/call-runtime.js'",
  'rare packets of CAP': "export * from './dist/protocols/cap/rare-packets.js'",
  'shared state': "export * from './dist/seam/shared-state.js'",
  'shared state over CAP': "export * from './dist/protocols/cap/state-fold.js'",
  'dialect 1.1 of ARCP': "export * from './dist/protocols/arcp/dialect-1-1/gateway.js'",
  'rare requests of CAP': "export * from './dist/protocols/cap/rare-requests.js'",
  'rare events of AG-UI': "export * from './dist/protocols/ag-ui/rare-events.js'",
  'questions of AG-UI':
    "export * from './dist/protocols/ag-ui/ask-questions.js'; export * from './dist/protocols/ag-ui/client/answers.js'",
  'rare calls of A2A':
    "export * from './dist/protocols/a2a/client/call-agent.js'; export * from './dist/protocols/a2a/cancel-task.js'",
}

/** Sheets by the name of their entry point. */
const SHEETS = ['styles.css', 'styles-unlayered.css', 'shadcn.css', 'highlighting.css', 'formulas.css', 'diagrams.css']

function isReact(id) {
  return /^react(-dom)?(\/|$)/.test(id)
}

function isPeer(id) {
  return isReact(id) || /^(katex|shiki|@tanstack\/react-query)(\/|$)/.test(id)
}

/**
 * Left out: React, shiki and React Query, and what has its own budget, the markdown engine and the virtualiser. With the virtualiser goes
 * row-window, the only module that names it: a list imports it on demand, when it has more messages than it mounts at once, so
 * a bundler puts both into one chunk that most pages never load. With the engine goes rich-text, which an answer imports on
 * demand, and rest-of-engine, which it imports behind it; rare-packets, which a client fetches when it is made; rare-requests, which a client imports on demand when it sends a command or its server is of an older generation; and chat-commands, which a chat
 * imports when its agent asks something or its user speaks into an answer; and what folds and merges the state that an agent shares; and of A2A what cancels, what reads the answers of calls that no
 * chat makes, and what checks signatures; and of ARCP messages of rare types, commands to jobs, calls of the runtime, subscriptions, answers to challenges and the dialect 1.1. Imported in any
 * other way they would count.
 */
function isLeftOut(id, kind) {
  return (
    isPeer(id) ||
    /(^|\/)(markdown\/|base\/(text|tool-failures)\.js)/.test(id) ||
    isOnDemand(id, kind) ||
    isOtherLanguage(id)
  )
}

/** What a page with a chat fetches to show a short thread with markdown: all but what is loaded on demand beside the engine. */
function isLeftOutOfWholeChat(id, kind) {
  // rolldown does not say how a module is imported, and the engine, which is imported in both ways here, counts.
  return isPeer(id) || (kind === undefined ? !id.includes('/rich-text') && isOnDemand(id) : isOnDemand(id, kind))
}

/** What a chunk itself loads on demand, and nothing names otherwise. */
function isLeftOutOfChunk(id) {
  return isPeer(id) || /\/(rare-requests|rest-of-engine|long-block-layout)\.js$/.test(id)
}

/** The English words of prompts, tasks and jobs are there from the start and those of forms come with the fields; of the other languages a page fetches the pack of its own. */
function isOtherLanguage(id) {
  return /\/(?:(?:arabic|chinese|german)-pack|strings\/form)\.js$/.test(id)
}

function isOnDemand(id, kind = 'dynamic-import') {
  return (
    kind === 'dynamic-import' &&
    /\/((?:arabic|chinese|german)-pack|row-window|rich-text|shiki-tokenizer|all-syntax|chat-commands|prompt-components|form-body|message-editor|citation-card|bounded-judge|cancel-task|rare-events|ask-questions|answers|foreign-messages|call-agent|verify-signatures|task-components|part-components|job-commands|rare-messages|rare-packets|rare-requests|rare-markdown|request-health|rest-of-engine|long-block-layout|runtime-calls|call-runtime|arcp-subscription|auth-proofs|gateway|shared-state|state-fold)\.js$/.test(
      id,
    )
  )
}

/** @returns {Promise<number>} bytes after gzip */
async function withEsbuild(code, isOutside) {
  const plugin = {
    name: 'left-out',
    setup: (build) =>
      build.onResolve({ filter: /.*/ }, ({ path, kind }) =>
        kind !== 'entry-point' && isOutside(path, kind) ? { path, external: true } : undefined,
      ),
  }
  const { outputFiles } = await build({
    stdin: { contents: code, resolveDir: ROOT },
    bundle: true,
    minify: true,
    define: { 'process.env.NODE_ENV': '"production"' },
    format: 'esm',
    target: 'es2022',
    write: false,
    plugins: [plugin],
    logLevel: 'error',
  })
  return gzipped(outputFiles.map(({ text }) => text))
}

/** @returns {Promise<number>} bytes after gzip */
async function withRolldown(code, isOutside) {
  const entry = `${ROOT}entry-of-a-page.js`
  const plugin = {
    name: 'entry',
    resolveId: (id) => (id === entry ? id : undefined),
    load: (id) => (id === entry ? code : undefined),
  }
  const bundle = await rolldown({
    input: entry,
    external: (id) => isOutside(id),
    plugins: [plugin],
    transform: { define: { 'process.env.NODE_ENV': '"production"' } },
    logLevel: 'silent',
  })
  const { output } = await bundle.generate({ format: 'esm', minify: true })
  return gzipped(output.map((chunk) => ('code' in chunk ? chunk.code : '')))
}

async function bothWays(code, isOutside) {
  return { esbuild: await withEsbuild(code, isOutside), rolldown: await withRolldown(code, isOutside) }
}

function gzipped(texts) {
  return gzipSync(texts.join('\n'), { level: 9 }).length
}

/** @returns {Promise<Record<string, { esbuild: number, rolldown: number }>>} */
export async function measureEntryPoints() {
  const sizes = {}
  for (const [name, code] of Object.entries(ENTRIES))
    sizes[name] = await bothWays(code, name.startsWith(WHOLE_CHAT) ? isLeftOutOfWholeChat : isLeftOut)
  for (const [name, code] of Object.entries(CHUNKS))
    sizes[name] = await bothWays(
      code,
      (id) => isLeftOutOfChunk(id) && !code.includes(id.replace(/^.*(?=dist\/)/, './')),
    )
  return sizes
}

/** @returns {Promise<Record<string, number>>} bytes after gzip of each sheet, minified as a bundler ships it */
export async function measureSheets() {
  const sizes = {}
  for (const name of SHEETS) sizes[name] = await sizeOfSheet(readFileSync(`${ROOT}dist/${name}`, 'utf8'))
  const parts = postcss.parse(readFileSync(`${ROOT}dist/styles.css`, 'utf8'))
  parts.walkRules(/\.cs-md\b/, (rule) => rule.remove())
  sizes['styles.css, without markdown'] = await sizeOfSheet(parts.toString())
  return sizes
}

async function sizeOfSheet(css) {
  return gzipped([(await transform(css, { loader: 'css', minify: true })).code])
}

if (process.argv[1] === new URL(import.meta.url).pathname) {
  const [entryPoints, sheets] = [await measureEntryPoints(), await measureSheets()]
  if (process.argv.includes('--json')) process.stdout.write(JSON.stringify({ entryPoints, sheets }))
  else {
    for (const [name, { esbuild, rolldown: other }] of Object.entries(entryPoints))
      process.stdout.write(`${name.padEnd(30)} esbuild ${esbuild} B, rolldown ${other} B\n`)
    for (const [name, bytes] of Object.entries(sheets)) process.stdout.write(`${name.padEnd(30)} ${bytes} B\n`)
  }
}
