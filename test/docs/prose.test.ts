import { execFileSync } from 'node:child_process'
import { posix } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { readManifest, readTree, ROOT } from '../layers/files.ts'
import { filesOfExample } from '../layers/recipe.ts'
import { type Page, readPages } from './pages.ts'
import { type Facts, missingFiles, missingMembers, missingOptions, unknownNames, wrongCounts } from './prose.ts'
import { readPublicApi } from './public-api.ts'
import { readPublicMembers } from './public-members.ts'

const api = readPublicApi()
afterAll(() => api.close())

const facts: Facts = {
  members: readPublicMembers(api),
  entryPoints: Object.keys(readManifest().exports).map((name) => posix.join('capstan', name)),
  files: [
    ...execFileSync('git', ['ls-files'], { cwd: ROOT, encoding: 'utf8' }).trim().split('\n'),
    ...filesOfExample(),
  ],
  words: new Set(readTree('src/').flatMap(({ text }) => text.match(/\w+/g) ?? [])),
}
/** Decisions and the table of renames have old names, the reference is generated. */
const pages = readPages().filter(({ path }) => !/^docs\/(?:decisions\/|reference\/|internals\/renames)/.test(path))
/** The comparison is about names of other packages. */
const ours = pages.filter(({ path }) => path !== 'docs/comparison.md')

/** Names of other packages, platforms and examples. */
const FOREIGN = new Set(
  [
    // AI SDK
    'DefaultChatTransport addToolApprovalResponse addToolOutput generateMessageId isAbort isDisconnect onData onToolCall',
    'providerOptions resumeStream sendAutomaticallyWhen setMessages textStream toolApproval',
    // AG-UI, CopilotKit, TanStack AI and Mastra
    'ChatClient CopilotRuntime HttpAgent fetchServerSentEvents requireApproval resolveInterrupt resumeInterruptsUnsafe',
    'resumeServerSentEventsResponse toServerSentEventsResponse',
    // LangChain and Python
    'EventSourceResponse ToolMessage ToolNode useResponsesApi zdrEnabled',
    // React, TanStack Query, bundlers and platforms
    'AppState BlinkMacSystemFont DejaVu HydrationBoundary codeSplitting createPortal idleTimeout keepAliveTimeout maxDuration',
    // Names that a guide makes up
    'MyFormula createX',
  ].flatMap((names) => names.split(' ')),
)

const page = (text: string): Page => ({ path: 'docs/a.md', text })

describe('the sentences of the guides', () => {
  it('name files that are there', () => {
    expect(
      pages.flatMap((each) => missingFiles(each, facts)),
      'Correct each path.',
    ).toEqual([])
  })

  it('give public names only the members, props and options that they have', () => {
    expect(
      pages.flatMap((each) => missingMembers(each, facts)),
      'Use the name that the type has.',
    ).toEqual([])
  })

  it('list options, props and fields that a public type has', () => {
    expect(
      pages.flatMap((each) => missingOptions(each, facts)),
      'Use the name that the type has.',
    ).toEqual([])
  })

  it('use names that the sources have, or that are listed as names of others', () => {
    expect(
      ours.flatMap((each) => unknownNames(each, facts, FOREIGN)),
      'Correct the name. If it belongs to another package or a platform, add it to FOREIGN.',
    ).toEqual([])
    const used = new Set(pages.flatMap(({ text }) => text.match(/\w+/g) ?? []))
    expect([...FOREIGN].filter((name) => !used.has(name))).toEqual([])
  })

  it('count what follows them', () => {
    expect(pages.flatMap(wrongCounts), 'Correct the number, or leave it out.').toEqual([])
  })
})

describe('the check of sentences', () => {
  it.each([
    ['a path', 'See `src/session/no-such-file.ts`.', 'there is no src/session/no-such-file.ts'],
    ['a path below a folder of src', 'See `base/no-such-file.ts`.', 'there is no base/no-such-file.ts'],
    ['an entry point', 'Import `capstan/threads`.', 'there is no capstan/threads'],
    ['one of several paths', 'See `src/{chat,react}.ts`.', 'there is no src/chat.ts'],
  ])('finds %s that leads nowhere', (_, text, fault) => {
    expect(missingFiles(page(text), facts)).toEqual([`docs/a.md: ${fault}`])
  })

  it.each([
    ['a prop of a component', '`renderPiece` of `Chat`', 'Chat has no renderPiece'],
    ['a prop in JSX', '`<Chat renderPiece={show} />`', 'Chat has no renderPiece'],
    ['a member of a value', '`chat.question`', 'ChatInstance has no question'],
    [
      'an option of a function',
      '`createAgentHandler({ agent, keepOpen: true })`',
      'createAgentHandler has no keepOpen',
    ],
  ])('finds %s that is not there', (_, text, fault) => {
    expect(missingMembers(page(text), facts)).toEqual([`docs/a.md: ${fault}`])
  })

  it('lets names pass that are there', () => {
    const text =
      '`renderPart` of `Chat`, `<Chat title="a b" renderPart={(part) => null} />`, `chat.answer()`, `createAgentHandler({ agent: answer, heartbeatMs })`'
    expect(missingMembers(page(text), facts)).toEqual([])
    expect(missingFiles(page('`base/ledger.ts`, `src/session/`, `test/faults/matrix-*.test.ts`'), facts)).toEqual([])
  })

  it('finds options and names that are nowhere', () => {
    const table = '| Option | Meaning |\n|---|---|\n| `heartbeatMs`, `pulseRate` | Pulse |\n'
    expect(missingOptions(page(table), facts)).toEqual(['docs/a.md: no public type has pulseRate'])
    expect(unknownNames(page('Pass `onPulseEnd`.'), facts, FOREIGN)).toEqual(['docs/a.md: no source has onPulseEnd'])
  })

  it('finds a number that is not that of the list', () => {
    expect(wrongCounts(page('In two ways:\n\n- one\n- two\n- three\n'))).toEqual([
      'docs/a.md: "two ways", and 3 follow',
    ])
    expect(wrongCounts(page('In three ways:\n\n- one\n- two\n- three\n'))).toEqual([])
  })
})
