import type { ChatProps } from 'capstan/components'

export const chatSettings: ChatProps = {
  title: 'Assistant',
  suggestions: ['Why do rivers meander?', 'Tell me a short joke.'],
  strings: {
    agentErrorMessages: {
      // The agent says which key it is, and what to do.
      missing_key: ({ message }) => ({ title: 'The agent has no API key', text: message }),
    },
  },
}
