import type { PartAttributes } from '../internals/attributes/part-attributes.ts'

/** The `data-*` attributes of `AgentCardView`. */
export const agentCardAttributes = {
  root: {
    selector: '.cs-agent-card',
    attributes: {
      'data-signature': {
        values: ['unsigned', 'unknown-key', 'valid', 'partly-signed', 'invalid'],
        meaning: 'What is known of its signatures, where that is given',
      },
    },
  },
  tags: {
    selector: '.cs-agent-tag',
    attributes: {
      'data-outlined': { values: 'present', meaning: 'It says how the agent is reached, and not what it can do' },
    },
  },
} as const satisfies PartAttributes
