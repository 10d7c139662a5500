import { describe, expect, it } from 'vitest'
import { readTree } from '../layers/files.ts'
import { firstColumn, readPage } from './pages.ts'

const sources = readTree('src/').filter(({ path }) => /\.tsx?$/.test(path))
const components = readPage('docs/components.md')
const hooks = readPage('docs/hooks.md')

/** The names of the fields of an interface, wherever in src it is. */
function fieldsOf(name: string): string[] {
  const bodies = sources.flatMap(({ text }) =>
    [...text.matchAll(new RegExp(`^export interface ${name}\\b[^{]*\\{\\n([\\s\\S]*?)^\\}`, 'gm'))].map(
      ([, body = '']) => body,
    ),
  )
  if (bodies.length !== 1) throw new Error(`src has ${bodies.length} exported interfaces ${name}.`)
  return [...(bodies[0] ?? '').matchAll(/^ {2}readonly (\w+)\??:/gm)].map(([, field = '']) => field)
}

/** Whether a component has its own props. */
function hasProps(component: string): boolean {
  return sources.some(({ text }) => text.includes(`export interface ${component}Props`))
}

/** Component and prop of each row of the table of parts. */
function propsOfParts(): (readonly [component: string, prop: string])[] {
  const [, section = ''] = components.text.split('## Which props do the parts take?\n')
  const rows = (section.split('\n## ')[0] ?? '').split('\n').filter((line) => line.startsWith('| `'))
  return rows.map((row) => {
    const [, component = '', prop = ''] = row.split('|').map((cell) => cell.trim().replaceAll('`', ''))
    return [component, prop]
  })
}

/** Components of prompts, threads, tools, tasks and jobs: their own guides show them, and the reference has their props. */
const WITH_GUIDES = [
  ...[
    'ApprovalCard',
    'ChoiceCard',
    'FormPrompt',
    'LeaseBadge',
    'LeaseList',
    'PermissionPrompt',
    'PromptCard',
    'PromptDock',
  ],
  ...['PromptStringsProvider', 'PromptTrace', 'SchemaForm', 'SignInCard', 'UnknownPrompt', 'Decision', 'PromptBody'],
  ...['AgentCardView', 'ArtifactView', 'TaskCard', 'TaskStatusBadge', 'TaskStringsProvider', 'ThreadList', 'ToolView'],
  ...['CostMeter', 'JobCard', 'JobStringsProvider', 'LogViewer', 'SessionStatus', 'SubscriptionViewer', 'TokenMeter'],
]

const ONE_ROW_EACH =
  'One row for each of them in the table of the guide (docs/components.md or docs/hooks.md), with type, default and what it does.'

describe('the tables of the guides', () => {
  it.each([
    ['Which props does Chat take?', 'ChatProps'],
    ['What does the message list do?', 'MessageListProps'],
    ['What does the composer do?', 'ComposerProps'],
  ])('have every prop: %s', (heading, props) => {
    const fields = fieldsOf(props)
    expect(fields.length).toBeGreaterThan(5)
    expect(firstColumn(components, heading).toSorted(), ONE_ROW_EACH).toEqual(fields.toSorted())
  })

  it('have every prop of the other components, and those alone', () => {
    const rows = propsOfParts()
    const listed = [...new Set(rows.map(([component]) => component))]
    const elsewhere = ['Chat', 'MessageList', 'Composer', ...WITH_GUIDES]
    const exported = [
      ...(sources.find(({ path }) => path === 'components.ts')?.text ?? '').matchAll(/\b[A-Z]\w+\b/g),
    ].map(([name]) => name)
    const wanted = exported.filter((name) => !elsewhere.includes(name) && hasProps(name))
    expect(wanted).toContain('ToolCall')
    const missing = wanted.flatMap((name) =>
      fieldsOf(`${name}Props`)
        .filter(
          (field) => field !== 'render' && !rows.some(([component, prop]) => component === name && prop === field),
        )
        .map((field) => `${name}.${field}`),
    )
    expect(missing, ONE_ROW_EACH).toEqual([])
    const surplus = rows
      .filter(([component, prop]) => !fieldsOf(`${component}Props`).includes(prop))
      .map((row) => row.join('.'))
    expect(surplus, 'These props are gone: take their rows out of docs/components.md.').toEqual([])
    expect(listed).toEqual(expect.arrayContaining(['ErrorBanner', 'SourcesPanel']))
  })

  it.each([
    ['What does AgentProvider do?', ['AgentProviderProps'], []],
    ['Which options does useCapChat take?', ['ChatInstanceOptions', 'ChatCallbacks'], []],
    ['What does useCapChat do?', ['ChatSnapshot'], ['chat']],
    ['How do I read only a part of a chat?', ['ChatSelectorOptions'], []],
  ])('have every field of the hooks: %s', (heading, names, others) => {
    expect(firstColumn(hooks, heading).toSorted(), ONE_ROW_EACH).toEqual(
      [...names.flatMap(fieldsOf), ...others].toSorted(),
    )
  })

  it('have every option of useCapAssist', () => {
    const listed = firstColumn(hooks, 'What does useCapAssist do?')
    expect(
      fieldsOf('CapAssistOptions').filter((field) => !listed.includes(field)),
      ONE_ROW_EACH,
    ).toEqual([])
    expect(listed).toEqual(expect.arrayContaining(['packets', 'events', 'text', 'response']))
  })
})
