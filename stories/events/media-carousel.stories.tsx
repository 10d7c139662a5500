import type { Meta } from '@storybook/react-vite'
import type { EventPage } from './event-page.tsx'
import { pageOf, storyOf } from './event-page.tsx'

const meta = { title: 'Protocol events/Media carousel', ...pageOf('mediaCarousel') } satisfies Meta<typeof EventPage>

export default meta

export const Packets = storyOf('mediaCarousel')
