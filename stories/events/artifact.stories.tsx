import type { Meta } from '@storybook/react-vite'
import type { EventPage } from './event-page.tsx'
import { pageOf, storyOf } from './event-page.tsx'

const meta = { title: 'Protocol events/Artifact', ...pageOf('artifact') } satisfies Meta<typeof EventPage>

export default meta

export const Packets = storyOf('artifact')
