import type { StoryObj } from '@storybook/react-vite'
import type { ReactElement } from 'react'
import { expectSaid } from '../support/expect-said.ts'
import { packetAgent } from '../support/packet-agent.ts'
import { ScriptedChat } from '../support/scripted-chat.tsx'
import './event-page.css'
import type { EventPageName } from './packets.ts'
import { PAGES } from './packets.ts'

export interface EventPageProps {
  /** Which entry of packets.ts. */
  readonly name: EventPageName
}

/** Packets as JSON, and next to them what a chat makes of them when they come over the real wire. */
export function EventPage({ name }: EventPageProps): ReactElement {
  const { packets, shown } = PAGES[name]
  return (
    <div className="event-page">
      <figure className="event-packets">
        <figcaption>On the wire</figcaption>
        <pre tabIndex={0} aria-label="Packets">
          {shown.map((at) => JSON.stringify(packets[at], null, 2)).join('\n\n')}
        </pre>
      </figure>
      <figure className="event-chat">
        <figcaption>What it becomes</figcaption>
        <ScriptedChat question="Why do rivers meander?" fetch={packetAgent(packets)} hideHint />
      </figure>
    </div>
  )
}

/** Everything of a page but its title: `export default { title: '…', ...pageOf('close') }`. */
export function pageOf(name: EventPageName) {
  return {
    component: EventPage,
    args: { name },
    parameters: {
      frame: 'full',
      controls: { disable: true },
      docs: { description: { component: PAGES[name].about } },
    },
  } as const
}

/** The story of a page: the packets go through the real client, and what they say is seen. */
export function storyOf(name: EventPageName): StoryObj<typeof EventPage> {
  return {
    play: async ({ canvasElement }) => {
      const chat = canvasElement.querySelector<HTMLElement>('.event-chat')
      if (chat === null) throw new Error('The page shows no chat.')
      for (const words of PAGES[name].says) await expectSaid(chat, words)
    },
  }
}
