import type { ChatProps } from 'capstan/components'

export const chatSettings: ChatProps = {
  title: 'Echo',
  suggestions: ['Hello, echo!', 'What did I say before?'],
}
