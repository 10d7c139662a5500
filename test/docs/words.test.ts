import { describe, expect, it } from 'vitest'
import { readTree } from '../layers/files.ts'

/** Words of our own for what has a term in the field, and that term. */
const BANNED: readonly [word: RegExp, use: string][] = [
  [/\bdoors?\b/i, 'entry point'],
  [
    /\b(?:line-?slots|line-?watch|line-?gate|line-?errors|line-?trouble)\b/i,
    'connection slots, stall detector, line buffer, connection errors, reconnect attempt',
  ],
  [/\bEndLine\b/, 'MessageStatusRow'],
  [/\b(?:take-?up|takeUp)\b/, 'restore'],
  [/\b(?:chat-?home)\b/i, 'chat storage'],
  [/\btidings\b/i, 'result'],
  [/\b(?:ThreadListWords|MarkdownWords|englishMarkdownWords)\b/, 'ThreadListStrings, MarkdownStrings'],
  [/\b(?:Keeping|onKeeping|useKeptDraft|NotKept)\b/, 'Persistence, useSavedDraft, NotSaved'],
  [/(?<!Functions are )\bverbs?\b/i, 'action, method'],
  [/\b(?:tended-?reader)\b/i, 'failover reader'],
  [/\bsilentAfter\b/, 'withTimeout'],
  [/\b(?:own-?parts)\b/i, 'customizable parts'],
  [/\b(?:attempt-?pacer|mayHurry)\b/i, 'rate limiter, canRetryNow'],
  [/\brooms?\b/i, 'layer, space, limit'],
  [/\b(?:stands?|stood|standing)\b(?! (?:in )?for\b)/i, 'is'],
  [/\bpersons?\b/i, 'user'],
  [/\bthe kit\b/i, 'capstan, the components'],
  [/\b(?:hears?|heard) of\b/i, 'is called with, learns of'],
  [/\b(?:tak(?:e|es|en|ing)|took) up\b/i, 'resume, restore'],
  [/\b(?:keepers?|patience(?:Ms)?|tidings|riddles?)\b/i, 'owner, timeout'],
  [/\banew\b|\bin the place of\b/i, 'again, in place of'],
  [/\b(?:reclaim|claiming)\b/i, 'acquire (a term)'],
]
/** A *line* is a line of text. It is none of a network connection, a queue, an entry of the event log or a row of the page. */
const LINE = /(?<![A-Za-z])lines?(?![a-z])|(?<=[a-z])Lines?(?![a-z])|\bLines?(?![a-z])/
const LINE_OF_TEXT = 'connection, queue, entry or row; *line* only for a line of text'

/** Files and folders that are about lines of text, each with the text they are about. */
const ABOUT_LINES: readonly RegExp[] = [
  // Markdown, its code blocks and its citations.
  /^(?:src|test)\/markdown\/|^src\/markdown\.ts$|^(?:src|test)\/components\/(?:highlight|create-math|create-diagram|diagram|markdown-block|citation)|^src\/(?:highlight|math)\.ts$/,
  /^test\/components\/message\/assistant-message\.text-flow|^test\/browser\/(?:markdown|math|citations)|^test\/conformance\/|^(?:stories\/highlight|stories\/math|stories\/support\/markdown)/,
  // Values of agents, which are shown with the ends of their lines.
  /^(?:src|test)\/components\/literal-value/,
  // The event stream format, which ends fields by line ends.
  /^(?:src|test)\/wire\/|^(?:src|test)\/testing\/faulty-|^test\/protocols\/a2a\/client\/play-over|^docs\/testing\.md$|^playground\/server\/network\/in-generation|^playground\/src\/wire\/frame-bytes/,
  /^test\/faults\/matrix-packets|^test\/bench\//,
  // Sources, logs, pages and the output of programs, which are read line by line.
  /^scripts\/|^test\/(?:layers|docs|stories|examples|package)\/|^test\/layers\.test|^test\/faults\/reliability|^test\/base\/transition-table/,
  /^test\/e2e\/(?:log-text|tab-rounds|vite-template|tailwind|attacks)|^test\/storage\/(?:fake-tabs|model\/)|^test\/styles\.test|^stories\/support\/tokens/,
  // What the agents of the playground read and say.
  /^playground\/server\/(?:docs|scenarios)\/|^test\/playground\/server\/docs\/docs-agent|^stories\/progress-indicator/,
  // A log of text, printed line by line; strings of a dictionary with a line break.
  /^(?:src|test)\/session\/debug-log|^test\/strings\/dictionary\.locales/,
  // Rules for text in other scripts, for text beside a picture, and the clamp of WebKit.
  /^src\/styles\/environment\.css$|^src\/components\/message\/text\.css$/,
  // The text of a composer, and Shift and Enter.
  /^(?:src|test)\/components\/composer\/|^test\/browser\/composer/,
  // Generated from the comments of src, which are checked themselves.
  /^docs\/reference\//,
  // The title of a panel of the playground.
  /^playground\/src\/(?:app|header\/header|connection\/connection-panel)\.tsx$|^test\/e2e\/(?:look|playground-look)|^test\/playground\/server\/scenarios\/scenario-agents/,
]
/** Phrases that can mean a line of text only. */
const OF_TEXT = new RegExp(
  [
    String.raw`line[- ](?:clamp|through|breaks?|height|ends?|endings?|feed)\b`,
    String.raw`by line|per line|half a line|own lines?|a long line|more than a line|\b(?:in|a) (?:few|six|ten|twelve|twenty|fifty) lines`,
    String.raw`\b(?:[Bb]lank|[Oo]ne|new|empty|endless|whole|last|first|[Bb]reaks? the|cut a|keeps the|ten|twelve|twenty|600|From) lines?\b`,
    String.raw`\blines? (?:of (?:text|code|prose|its own|this page|more)|above|below|around|they (?:read|stand in))|-in-ten-lines|along the line|centre lines?`,
    String.raw`\bA line gets|Pieces of a line|a piece of a line|3 to 10 lines|each line slower`,
    String.raw`oxlint-disable-next-line|\bonLine\b|[nN]ewLine\b|node:readline|once\('line'|split\('\\n'\)\S*\(\(line\).*`,
  ].join('|'),
  'g',
)

function linesOfNoText(files: readonly { readonly path: string; readonly text: string }[]): string[] {
  return files
    .filter(({ path }) => !ABOUT_LINES.some((about) => about.test(path)))
    .flatMap(({ path, text }) =>
      text
        .split('\n')
        .flatMap((line, index) =>
          LINE.test(line.replaceAll(OF_TEXT, '')) || (index === 0 && LINE.test(path))
            ? [`${path}:${index + 1} line: use ${LINE_OF_TEXT}`]
            : [],
        ),
    )
}

const PLACES =
  /^(?:src|docs|stories|playground|scripts|test|README\.md|SECURITY\.md|CONTRIBUTING\.md|AGENTS\.md|CHANGELOG\.md)/
/** Decisions describe earlier states; the table of renames and this list have to name the old words. */
const EXEMPT = /^(?:docs\/decisions\/|docs\/internals\/renames\.md$|test\/docs\/words\.test\.ts$)/
/** Texts that are about rivers, or that a user might type: words in them name nothing of ours. */
const OTHER_TEXTS = new RegExp(
  [
    String.raw`^playground\/server\/(?:scenarios\/(?:river-|scenario-agents|prompt-agents)|docs\/(?:talks|german))`,
    String.raw`^stories\/(?:support\/markdown|events\/packets)|^test\/playground\/(?:first-questions\/|server\/(?:docs\/docs-agent|scenarios\/prompt-agents))`,
    String.raw`^test\/e2e\/(?:scenarios|playground-look)|^test\/strings\/dictionary\.locales|^test\/examples\/`,
  ].join('|'),
)

/** Phrases that are read twice, in comments and test titles; what to write instead. Text that agents and users write is not checked. */
const PHRASES: readonly [phrase: RegExp, use: string][] = [
  [/\bgo(?:es)? on\b/i, 'continue'],
  [/\b(?:is|are|was|were|be) over\b(?! (?:the|a|an|its|this|all|by|\d)\b)/i, 'have ended, have expired'],
  [/\bwhat (?:came|has come|had been said)\b/i, 'the noun: events, text, reply, history'],
  [/\bat hand\b|\bin force\b/i, 'loaded, available, active, current'],
  [/\b(?:tells?|hears?) of\b/i, 'reports, learns of'],
  [/\bas (?:it|they) came\b(?! in)/i, 'unchanged'],
  [/\bwhoever\b/i, 'the caller, the reader, the user'],
  [/\bis no (?:JSON|HTML|HTTP|UTF-8)\b/i, 'is not valid JSON'],
  [/\bbrings? along\b/i, 'includes'],
]

const PROSE_IN =
  /^(?:src|test|stories|playground|scripts|bench|create-capstan|examples|registry)\/.*\.(?:[cm]?[jt]sx?|css)$/
/** A comment, or the title of a test: the parts of a source that are prose. */
const PROSE = /^\s*(?:\/\*|\*|\/\/).*|\s\/\/ .*|\b(?:it|describe)(?:\.\w+\(.*\))?\(\s*['"`].*|^ {4}'[^']+',$/

function oddPhrases(files: readonly { readonly path: string; readonly text: string }[]): string[] {
  return files
    .filter(({ path }) => PROSE_IN.test(path) && path !== 'test/docs/words.test.ts')
    .flatMap(({ path, text }) =>
      text.split('\n').flatMap((line, index) => {
        const prose = PROSE.exec(line)?.[0] ?? ''
        return PHRASES.flatMap(([phrase, use]) =>
          phrase.test(prose) ? [`${path}:${index + 1} ${phrase.exec(prose)?.[0]}: use ${use}`] : [],
        )
      }),
    )
}

const WHAT_TO_DO =
  'Each line names a word that has a term in the field, and that term. Use it: readers look for it with grep.'

function bannedWords(files: readonly { readonly path: string; readonly text: string }[]): string[] {
  return files.flatMap(({ path, text }) =>
    text
      .split('\n')
      .flatMap((line, index) =>
        BANNED.flatMap(([word, use]) =>
          word.test(line) || (index === 0 && word.test(path))
            ? [`${path}:${index + 1} ${word.exec(line)?.[0] ?? path}: use ${use}`]
            : [],
        ),
      ),
  )
}

describe('the words of the repository', () => {
  it('are the terms of the field where there is one', () => {
    const files = readTree('').filter(({ path }) => PLACES.test(path) && !EXEMPT.test(path) && !OTHER_TEXTS.test(path))
    expect(files.length).toBeGreaterThan(500)
    expect(bannedWords(files), WHAT_TO_DO).toEqual([])
  })

  it('have a line for a line of text only', () => {
    const files = readTree('').filter(({ path }) => PLACES.test(path) && !EXEMPT.test(path))
    expect(linesOfNoText(files), WHAT_TO_DO).toEqual([])
  })

  it('make sentences that are understood in one reading', () => {
    expect(oddPhrases(readTree('').filter(({ path }) => !OTHER_TEXTS.test(path)))).toEqual([])
  })

  it.each(['/** The stream goes on. */', '// Whoever asks.', "  it('keeps what came', () => {", '  a() // is over'])(
    'find an odd phrase in prose: %s',
    (text) => {
      expect(oddPhrases([{ path: 'src/a.ts', text }])).toHaveLength(1)
    },
  )

  it('are not looked for in the text of agents', () => {
    expect(oddPhrases([{ path: 'src/a.ts', text: "const answer = 'And so it goes on.'" }])).toEqual([])
  })

  it.each([
    'the line is lost',
    'stories: A line that breaks',
    'peer.line.say(1)',
    'const lineLost = 1',
    'function openLine()',
    'type LineState =',
  ])('find a line that is none of text: %s', (text) => {
    expect(linesOfNoText([{ path: 'src/session/a.ts', text }])).toHaveLength(1)
  })

  it.each([
    'one input per line',
    'a line break',
    'a blank line',
    'offline, online, inline, outline, timeline, lineage',
    'border: 1px solid var(--cs-border)',
  ])('let a line of text pass: %s', (text) => {
    expect(linesOfNoText([{ path: 'src/session/a.ts', text }])).toEqual([])
  })

  it('are found where they are planted', () => {
    expect(bannedWords([{ path: 'src/a.ts', text: 'one\n/** Each door. */' }])).toEqual([
      'src/a.ts:2 door: use entry point',
    ])
    expect(bannedWords([{ path: 'src/line-watch.ts', text: '' }])).toHaveLength(1)
    expect(bannedWords([{ path: 'docs/a.md', text: 'It stands for a room.\nA mark stands here.' }])).toEqual([
      'docs/a.md:1 room: use layer, space, limit',
      'docs/a.md:2 stands: use is',
    ])
  })
})
