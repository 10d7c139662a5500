import type { Preview } from '@storybook/react-vite'
import { loadOnDemand } from '../test/support/load-on-demand.ts'
import { withWholeTypes } from '../stories/support/whole-types.ts'
import { withFrame } from '../stories/support/frame.tsx'
import '../src/styles.css'
import './frame.css'

const preview: Preview = {
  tags: ['autodocs'],
  // Stories begin where the engine's code is there, so that each looks the same every time.
  beforeAll: loadOnDemand,
  decorators: [withFrame],
  argTypesEnhancers: [withWholeTypes],
  initialGlobals: { theme: 'light', direction: 'ltr', density: 'comfortable', contrast: 'standard' },
  globalTypes: {
    theme: {
      description: 'Light or dark',
      toolbar: {
        title: 'Theme',
        icon: 'contrast',
        dynamicTitle: true,
        items: [
          { value: 'light', title: 'Light' },
          { value: 'dark', title: 'Dark' },
        ],
      },
    },
    direction: {
      description: 'Direction of writing',
      toolbar: {
        title: 'Direction',
        icon: 'transfer',
        dynamicTitle: true,
        items: [
          { value: 'ltr', title: 'Left to right' },
          { value: 'rtl', title: 'Right to left' },
        ],
      },
    },
    density: {
      description: 'How close things stand',
      toolbar: {
        title: 'Density',
        icon: 'component',
        dynamicTitle: true,
        items: [
          { value: 'comfortable', title: 'Comfortable' },
          { value: 'compact', title: 'Compact' },
        ],
      },
    },
    contrast: {
      description: 'Contrast of inks and edges',
      toolbar: {
        title: 'Contrast',
        icon: 'eye',
        dynamicTitle: true,
        items: [
          { value: 'standard', title: 'Standard contrast' },
          { value: 'more', title: 'More contrast' },
        ],
      },
    },
  },
  parameters: {
    layout: 'fullscreen',
    a11y: { test: 'error' },
    controls: { expanded: true },
    backgrounds: { disabled: true },
    options: { storySort: { order: ['Start', 'Whole chat', 'Parts', 'Protocol events', 'Theming'] } },
  },
}

export default preview
