import type { AgentCard } from '../../../src/protocols/a2a/agent-card.ts'
import type { StreamResponse, Task } from '../../../src/protocols/a2a/messages.ts'

/** A task with every member that is read. */
export const TASK: Task = {
  id: 'task-1',
  contextId: 'ctx-1',
  status: {
    state: 'TASK_STATE_WORKING',
    message: { messageId: 'm-2', role: 'ROLE_AGENT', parts: [{ text: 'Reading…' }], taskId: 'task-1' },
    timestamp: '2026-03-01T08:15:00Z',
  },
  artifacts: [
    {
      artifactId: 'a-1',
      name: 'Reply',
      description: 'What was asked for',
      parts: [
        { text: 'Rivers ', metadata: { n: 1 } },
        { raw: 'AAAA', mediaType: 'image/png', filename: 'map.png' },
        { url: 'https://files.example/a.pdf', mediaType: 'application/pdf' },
        { data: { depth: [1, null] } },
      ],
      metadata: {},
      extensions: ['https://x.example/v1'],
    },
  ],
  history: [{ messageId: 'm-1', role: 'ROLE_USER', parts: [{ text: 'Why?' }], contextId: 'ctx-1', metadata: { a: 1 } }],
  metadata: { m: true },
}

/** One of each event of a stream. */
export const RESPONSES: readonly StreamResponse[] = [
  { task: TASK },
  { message: { messageId: 'm-3', role: 'ROLE_AGENT', parts: [{ text: 'Hello' }], referenceTaskIds: ['task-0'] } },
  { statusUpdate: { taskId: 'task-1', contextId: 'ctx-1', status: TASK.status, metadata: { x: 1 } } },
  {
    artifactUpdate: {
      taskId: 'task-1',
      artifact: { artifactId: 'a-1', parts: [{ text: 'bend.' }] },
      append: true,
      lastChunk: true,
    },
  },
]

/** A card with every member that is read. */
export const CARD: AgentCard = {
  name: 'Rivers',
  description: 'Knows rivers',
  version: '1.2.0',
  supportedInterfaces: [
    { url: 'https://agent.example/a2a', protocolBinding: 'JSONRPC', protocolVersion: '1.0', tenant: 't' },
  ],
  capabilities: {
    streaming: true,
    pushNotifications: false,
    extendedAgentCard: true,
    extensions: [{ uri: 'https://x.example/v1', description: 'x', required: true, params: { a: 1 } }],
  },
  skills: [{ id: 's', name: 'Explain', description: 'd', tags: ['a'], examples: ['Why?'], inputModes: ['text/plain'] }],
  provider: { organization: 'Example', url: 'https://example.com' },
  iconUrl: 'https://example.com/icon.png',
  documentationUrl: 'https://example.com/docs',
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/markdown'],
  securitySchemes: { key: { apiKeySecurityScheme: { name: 'x' } } },
  securityRequirements: [{ schemes: { key: {} } }],
  signatures: [{ protected: 'e30', signature: 'AA', header: { kid: '1' } }],
}
