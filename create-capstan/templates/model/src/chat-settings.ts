import type { ChatProps } from 'capstan/components'

export const chatSettings: ChatProps = {
  title: 'Assistant',
  suggestions: ['What can you help me with?', 'Summarize what we have said so far.'],
  strings: {
    agentErrorMessages: {
      // The agent says which key it is, and what to do.
      missing_key: ({ message }) => ({ title: 'The agent has no API key', text: message }),
    },
  },
}
