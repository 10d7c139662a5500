import type { ChatProps } from 'capstan/components'

export const chatSettings: ChatProps = {
  title: 'Echo',
  suggestions: ['Hello!', 'Is anybody there?'],
}
