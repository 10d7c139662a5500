import type { AgentDescription } from '../../src/components/agent-card-view.tsx'
import type { SubTask, TaskCardProps } from '../../src/components/task-card.tsx'
import { arabicJobs } from '../../src/strings/arabic-pack.ts'
import { chineseJobs } from '../../src/strings/chinese-pack.ts'
import { germanJobs } from '../../src/strings/german-pack.ts'
import { arabicTasks } from '../../src/strings/arabic-pack.ts'
import { chineseTasks } from '../../src/strings/chinese-pack.ts'
import { germanTasks } from '../../src/strings/german-pack.ts'
import { arabic } from '../../src/strings/arabic.ts'
import { chinese } from '../../src/strings/chinese.ts'
import { german } from '../../src/strings/german.ts'
import { picture } from './messages.ts'

/** A task in every state, with what an agent says of each. */
export const EVERY_TASK: readonly TaskCardProps[] = [
  { title: 'Survey the reach', status: 'submitted', statusText: 'Waiting for the agent' },
  { title: 'Survey the reach', status: 'working', statusText: 'Reading sheet 14' },
  { title: 'Survey the reach', status: 'input-required', statusText: 'Which weir, upper or lower?' },
  { title: 'Survey the reach', status: 'auth-required', statusText: 'survey.example wants you to sign in' },
  { title: 'Survey the reach', status: 'completed' },
  { title: 'Survey the reach', status: 'failed', statusText: 'Sheet 15 is not readable' },
  { title: 'Survey the reach', status: 'canceled' },
  { title: 'Survey the sea bed', status: 'rejected', statusText: 'This agent maps rivers only' },
  { title: 'Survey the reach', status: 'unknown', word: 'TASK_STATE_PAUSED' },
]

/** What a task is made of. */
export const PARTS: readonly SubTask[] = [
  { id: 'north', title: 'North bank', status: 'completed' },
  {
    id: 'south',
    title: 'South bank',
    status: 'working',
    statusText: '19 of 31 gauges',
    tasks: [
      { id: 'g12', title: 'Gauge 12', status: 'completed' },
      { id: 'g27', title: 'Gauge 27', status: 'failed', statusText: 'No width is known' },
    ],
  },
  { id: 'table', title: 'Write the table', status: 'submitted' },
]

/** An agent with all that a card can say. */
export const RIVERS: AgentDescription = {
  name: 'Rivers',
  description: 'Maps river reaches and estimates bends from survey data.',
  version: '2.3.0',
  iconUrl: picture().url,
  documentationUrl: 'https://docs.rivers.example',
  provider: { organization: 'River Office', url: 'https://rivers.example' },
  skills: [
    {
      id: 'bends',
      name: 'Estimate bends',
      description: 'From a table of gauges, with the width of each.',
      examples: ['How wide is the Loire at Orléans?', 'Estimate the bends of the lower reach'],
    },
    { id: 'lakes', name: 'Find oxbow lakes', examples: ['Which lakes were once a bend of the Tisza?'] },
    { id: 'sheets', name: 'Read map sheets' },
    { id: 'gauges', name: 'Watch gauges' },
    { id: 'floods', name: 'Tell of floods' },
    { id: 'weirs', name: 'Name weirs' },
  ],
  capabilities: {
    streaming: true,
    pushNotifications: true,
    extendedAgentCard: true,
    extensions: [{ uri: 'https://a2a-extensions.agentstack.beeai.dev/ui/citation/v1' }],
  },
  defaultInputModes: ['text/plain', 'text/csv'],
  defaultOutputModes: ['text/plain', 'text/markdown', 'image/png'],
  securitySchemes: {
    login: { oauth2SecurityScheme: {} },
    key: { apiKeySecurityScheme: { name: 'X-Key', location: 'header' } },
  },
  supportedInterfaces: [
    { url: 'https://agent.rivers.example/a2a', protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
    { url: 'https://agent.rivers.example/rest', protocolBinding: 'HTTP+JSON', protocolVersion: '1.0' },
  ],
}

/** Dictionary and words of tasks of the other languages. */
export const LANGUAGES = {
  German: { strings: german, tasks: germanTasks, jobs: germanJobs },
  Chinese: { strings: chinese, tasks: chineseTasks, jobs: chineseJobs },
  Arabic: { strings: arabic, tasks: arabicTasks, jobs: arabicJobs, dir: 'rtl' },
} as const

export const REPORT = [
  '## Lower reach, oxbow lakes',
  '',
  'Four cut-off loops lie between the weir and the tidal limit. The northernmost still connects at high water; the other three are closed.',
  '',
  '| lake | area |',
  '|---|---|',
  '| Long Arm | 2.1 ha |',
  '| Old Bend | 0.8 ha |',
].join('\n')
