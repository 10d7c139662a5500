import { addons } from 'storybook/manager-api'
import { create } from 'storybook/theming'

addons.setConfig({
  bottomPanelHeight: 260,
  theme: create({
    base: matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light',
    brandTitle: 'capstan',
    brandTarget: '_self',
    fontBase: '-apple-system, BlinkMacSystemFont, "Segoe UI", Roboto, "Liberation Sans", Arial, sans-serif',
  }),
})
