import type { Meta } from '@storybook/react-vite'
import type { EventPage } from './event-page.tsx'
import { pageOf, storyOf } from './event-page.tsx'

const meta = { title: 'Protocol events/Close', ...pageOf('close') } satisfies Meta<typeof EventPage>

export default meta

export const Packets = storyOf('close')
