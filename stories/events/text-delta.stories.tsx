import type { Meta } from '@storybook/react-vite'
import type { EventPage } from './event-page.tsx'
import { pageOf, storyOf } from './event-page.tsx'

const meta = { title: 'Protocol events/Text delta', ...pageOf('textDelta') } satisfies Meta<typeof EventPage>

export default meta

export const Packets = storyOf('textDelta')
