import type { Meta } from '@storybook/react-vite'
import type { EventPage } from './event-page.tsx'
import { pageOf, storyOf } from './event-page.tsx'

const meta = { title: 'Protocol events/Progress indicator', ...pageOf('progressIndicator') } satisfies Meta<
  typeof EventPage
>

export default meta

export const Packets = storyOf('progressIndicator')
